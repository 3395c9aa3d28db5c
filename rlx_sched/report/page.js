"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);

  const VERDICTS = {
    faster: ["▲", "faster"],
    too_close_to_call: ["≈", "too close to call"],
    slower: ["▼", "slower"],
    unknown: ["?", "unknown"],
  };
  const ACTIONS = {
    stripped: "stripped",
    erased: "erased",
    does_not_fit: "does not fit",
    left_in: "left in, see why",
    kept: "kept",
  };
  const order = (names, name) => Object.keys(names).indexOf(name);
  const COLUMNS = [
    { title: "Kernel", key: (row) => row.name },
    { title: "Stages", key: (row) => row.stages, number: true },
    { title: "Bytes", key: (row) => row.size, number: true },
    { title: "Ratio", key: (row) => row.ratio, number: true },
    { title: "Verdict", key: (row) => order(VERDICTS, row.verdict) },
    { title: "What was done", key: (row) => order(ACTIONS, row.action) },
  ];
  const PRINTED_ROWS = 2000;

  const columns = Object.entries(data.kernels);
  const rows = (data.kernels.name ?? []).map((_, index) =>
    Object.fromEntries(columns.map(([key, values]) => [key, values[index]])));
  const texts = rows.map((row) =>
    ["@" + row.name, row.place, row.target, row.space].filter(Boolean).join("\n").toLowerCase());
  const state = { column: null, descending: false, verdicts: new Set(), members: null, page: 0 };
  const open = new Set();
  let shown = rows.map((_, index) => index);

  function element(tag, properties, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(properties || {})) {
      if (name in made) made[name] = value;
      else made.setAttribute(name, value);
    }
    made.append(...children.filter((child) => child !== null));
    return made;
  }
  const counted = (count, one, many) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
  const moved = (before, after) => (after === null || after === before ? `${before}` : `${before} → ${after}`);

  function compare(first, second) {
    const one = state.column.key(rows[first]);
    const other = state.column.key(rows[second]);
    if (one === null || other === null) return (one === null) - (other === null);
    const result = typeof one === "string" ? one.localeCompare(other, "en", { numeric: true }) : one - other;
    return state.descending ? -result : result;
  }

  function update() {
    const words = $("text").value.toLowerCase().split(/\s+/).filter(Boolean);
    const action = $("action").value;
    shown = [];
    rows.forEach((row, index) => {
      if (state.members && !state.members.has(index)) return;
      if (state.verdicts.size && !state.verdicts.has(row.verdict)) return;
      if (action === "over_limit" ? !row.overLimit : action && row.action !== action) return;
      if (words.every((word) => texts[index].includes(word))) shown.push(index);
    });
    if (state.column) shown.sort(compare);
    state.page = 0;
    show();
  }

  function show() {
    const size = Number($("size").value);
    const first = state.page * size;
    const visible = shown.slice(first, first + size);
    fill(visible);
    const all = shown.length === rows.length;
    $("status").textContent =
      (all ? counted(rows.length, "kernel", "kernels")
           : `${shown.length.toLocaleString("en")} of ${counted(rows.length, "kernel", "kernels")}`) +
      (state.members ? ", those of the point picked on the curve" : "");
    $("reset").disabled = all;
    $("range").textContent = shown.length
      ? `${(first + 1).toLocaleString("en")} to ${(first + visible.length).toLocaleString("en")} of ${shown.length.toLocaleString("en")}`
      : "none";
    $("previous").disabled = first === 0;
    $("next").disabled = first + size >= shown.length;
    $("pages").hidden = rows.length <= 25;
    document.querySelectorAll("#kernels thead th").forEach((head, index) => {
      if (COLUMNS[index] === state.column) head.setAttribute("aria-sort", state.descending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    $("sort").value = state.column ? `${COLUMNS.indexOf(state.column)}${state.descending ? "-" : "+"}` : "";
    for (const button of $("verdicts").children) {
      button.setAttribute("aria-pressed", String(state.verdicts.has(button.value)));
    }
  }

  function fill(indices) {
    const body = document.querySelector("#kernels tbody");
    body.replaceChildren(...indices.flatMap((index) => (open.has(index) ? [line(index), detail(index)] : [line(index)])));
    if (!indices.length) {
      const nothing = rows.length ? "No kernel matches." : "There is no schedule in this module.";
      body.append(element("tr", { role: "row" }, element("td", { colSpan: COLUMNS.length, role: "cell" }, nothing)));
    }
  }

  function line(index) {
    const row = rows[index];
    const toggle = element("button", { type: "button", className: "open", ariaExpanded: String(open.has(index)) },
      element("bdi", {}, "@" + row.name));
    toggle.addEventListener("click", () => {
      if (open.delete(index)) toggle.closest("tr").nextElementSibling.remove();
      else {
        open.add(index);
        toggle.closest("tr").after(detail(index));
      }
      toggle.ariaExpanded = String(open.has(index));
    });
    const [symbol, word] = VERDICTS[row.verdict];
    const cells = [
      [toggle, row.space === null ? null : element("small", {}, "in ", element("bdi", {}, "@" + row.space))],
      [moved(row.stages, row.stagesAfter)],
      [row.bytes === null ? "not known" : moved(row.bytes, row.bytesAfter)],
      [row.ratio === null ? "–" : row.ratio.toFixed(3), row.extrapolated ? element("small", {}, "extrapolated") : null],
      [
        element("span", { className: `badge ${row.verdict}` }, `${symbol} ${word}`),
        row.overLimit ? element("small", {}, element("span", { className: "illegal" }, "✕ over the limit")) : null,
      ],
      [element("span", { className: row.action === "kept" ? "" : "changed" }, ACTIONS[row.action])],
    ];
    // The roles survive the layout for phones, which takes the table's display away.
    return element("tr", { role: "row" }, ...cells.map((content, column) =>
      element(column ? "td" : "th", {
        role: column ? "cell" : "rowheader",
        className: COLUMNS[column].number ? "number" : "",
        "data-label": COLUMNS[column].title,
        ...(column ? {} : { scope: "row" }),
      }, ...content)));
  }

  function detail(index) {
    const row = rows[index];
    const facts = [
      ["Place", row.place],
      ["Operation", row.operation],
      ["Target", row.target ?? "none"],
      ["One stage", row.baseline && `${row.baseline} bytes`],
      ["As written", row.bytes && `${row.bytes} bytes`],
      ["Limit", row.limit ? `${row.limit} bytes` : "not known"],
      ["Ratio", row.ratio === null ? null : `${row.ratio.toFixed(3)} (${row.interval})`],
      ["Calibration", row.calibration],
      ["Filter", row.message],
    ].filter(([, text]) => text !== null);
    const list = element("dl", {}, ...facts.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]));
    return element("tr", { role: "row", className: "detail" },
      element("td", { colSpan: COLUMNS.length, role: "cell" }, list, row.diff.length ? difference(row) : null));
  }

  function difference(row) {
    const classes = { "-": "minus", "+": "plus", "@": "left-out" };
    const lines = row.diff.map((text) =>
      element("span", { className: classes[text[0]] ?? "" }, text[0] === "@" ? `⋮ ${text.slice(2)}` : text));
    return element("details", { open: true },
      element("summary", {}, row.action === "erased" ? "IR that was erased" : "IR before (−) and after (+)"),
      element("pre", { tabIndex: 0 }, ...lines));
  }

  function total(name, value, note) {
    return element("div", {}, element("dt", {}, name),
      element("dd", {}, String(value), note ? element("small", { className: "quiet" }, note) : null));
  }

  function showTotals() {
    const { verdicts, actions } = data;
    const percent = rows.length ? Math.round((100 * actions.stripped) / rows.length) : 0;
    $("totals").append(
      total("Kernels", rows.length.toLocaleString("en"), data.extrapolated ? `${data.extrapolated.toLocaleString("en")} extrapolated` : ""),
      total("Stripped", actions.stripped.toLocaleString("en"), rows.length ? `${percent} % of them` : ""),
      total("Bytes saved", data.bytesSaved, data.bytesUnknown ? `and of ${data.bytesUnknown} not known` : "threadgroup memory, summed"),
      total("Over the limit", data.overLimit.toLocaleString("en"), actions.does_not_fit ? `${actions.does_not_fit} with one stage too` : ""),
      ...(actions.erased ? [total("Candidates erased", actions.erased.toLocaleString("en"))] : []),
      ...(actions.left_in ? [total("Left in", actions.left_in.toLocaleString("en"), "could not be changed safely")] : []),
    );
    for (const [kind, [symbol, word]] of Object.entries(VERDICTS)) {
      const count = verdicts[kind];
      if (count) {
        const share = element("span", {});
        share.style.flex = String(count);
        share.style.background = `var(--${kind === "too_close_to_call" ? "too-close" : kind})`;
        $("share").append(share);
      }
      const button = element("button", { type: "button", value: kind, className: kind },
        `${symbol} ${word} ${count.toLocaleString("en")}`);
      button.addEventListener("click", () => {
        if (!state.verdicts.delete(kind)) state.verdicts.add(kind);
        update();
      });
      $("verdicts").append(button);
    }
  }

  function setUpTable() {
    const head = document.querySelector("#kernels thead tr");
    $("kernels").setAttribute("role", "table");
    $("sort").append(element("option", { value: "" }, "Order of the file"));
    COLUMNS.forEach((column, index) => {
      const button = element("button", { type: "button" }, column.title);
      button.addEventListener("click", () => {
        state.descending = state.column === column && !state.descending;
        state.column = column;
        update();
      });
      head.append(element("th", { scope: "col", className: column.number ? "number" : "" }, button));
      for (const [sign, word] of [["+", "ascending"], ["-", "descending"]]) {
        $("sort").append(element("option", { value: `${index}${sign}` }, `${column.title}, ${word}`));
      }
    });
    $("sort").addEventListener("change", (event) => {
      const value = event.target.value;
      state.column = value ? COLUMNS[Number(value.slice(0, -1))] : null;
      state.descending = value.endsWith("-");
      update();
    });
    $("action").append(element("option", { value: "" }, "anything"));
    for (const [name, word] of Object.entries(ACTIONS)) {
      if (data.actions[name]) $("action").append(element("option", { value: name }, `${word} (${data.actions[name]})`));
    }
    if (data.overLimit) $("action").append(element("option", { value: "over_limit" }, `over the limit (${data.overLimit})`));
    $("filters").addEventListener("submit", (event) => event.preventDefault());
    $("text").addEventListener("input", update);
    $("action").addEventListener("change", update);
    $("size").addEventListener("change", update);
    $("reset").addEventListener("click", () => {
      $("text").value = $("action").value = "";
      state.verdicts.clear();
      state.members = null;
      update();
    });
    const turn = (step) => () => {
      state.page += step;
      show();
      document.querySelector("#kernels").scrollIntoView({ block: "nearest" });
    };
    $("previous").addEventListener("click", turn(-1));
    $("next").addEventListener("click", turn(1));
    addEventListener("beforeprint", () => {
      fill(shown.slice(0, PRINTED_ROWS));
      if (shown.length > PRINTED_ROWS) $("status").textContent += `; the first ${PRINTED_ROWS} are printed`;
      paint();
    });
    addEventListener("afterprint", () => { show(); paint(); });
  }

  function drawCharts() {
    const section = $("charts");
    if (!data.charts.length) {
      const why = rows.length ? "No kernel is for a GPU that was measured" : "There is no kernel";
      section.append(element("p", {}, `${why}, so there is no curve to show.`));
      return;
    }
    for (const chart of data.charts) {
      const missing = rows.length - chart.shown;
      const plot = element("div", { className: "chart", role: "img",
        ariaLabel: `The model's curve of calibration ${chart.name} with the measured points and ${counted(chart.shown, "kernel", "kernels")}; the tables have the same numbers.` });
      const head = ["", "Chip, toolchain", "Kernel", "Bytes", "Measured", "Model"];
      section.append(
        element("h3", {}, `Calibration ${chart.name}, for ${chart.chips}`),
        element("p", { className: "quiet" },
          `${chart.law} per doubling; measured from ${chart.bytes} bytes and up to ${chart.growth} times one stage. ` +
          `Shows ${counted(chart.shown, "kernel", "kernels")} as written` + (missing ? `, ${missing.toLocaleString("en")} have no place on it` : "") +
          ". Open symbols were taken out. A click on a point shows its kernels in the table."),
        plot,
        element("details", {}, element("summary", {}, "What was measured"),
          element("p", { className: "quiet" }, chart.source),
          element("div", { className: "scroll", tabIndex: 0 }, element("table", {},
            element("thead", {}, element("tr", {}, ...head.map((title) => element("th", { scope: "col" }, title)))),
            element("tbody", {}, ...chart.evidence.map((cells) =>
              element("tr", {}, ...cells.map((cell, index) => element("td", { className: index > 2 ? "number" : "" }, cell)))))))));
      Plotly.newPlot(plot, chart.figure.data, chart.figure.layout, { responsive: true, displaylogo: false, displayModeBar: false });
      plot.on("plotly_click", (event) => {
        const members = event.points[0].customdata;
        if (!members) return;
        state.members = new Set(members);
        update();
        $("kernels-title").scrollIntoView();
      });
    }
  }

  function paint() {
    const family = getComputedStyle(document.body).fontFamily;
    const probe = element("span", {});
    document.body.append(probe);
    const color = (name) => {
      probe.style.color = `var(--${name})`;
      return getComputedStyle(probe).color;
    };
    const [text, grid, panel, edge] = ["text", "grid", "panel", "line"].map(color);
    probe.remove();
    for (const plot of document.querySelectorAll(".chart")) {
      Plotly.relayout(plot, {
        "font.color": text, "font.family": family, "xaxis.gridcolor": grid, "yaxis.gridcolor": grid,
        "xaxis.linecolor": edge, "yaxis.linecolor": edge,
        "hoverlabel.bgcolor": panel, "hoverlabel.bordercolor": edge, "hoverlabel.font.color": text,
        "hoverlabel.font.family": family,
      });
    }
  }

  const THEMES = { "": "Theme: system", light: "Theme: light", dark: "Theme: dark" };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  function setTheme(theme) {
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    $("theme").textContent = THEMES[theme];
    paint();
  }
  $("theme").addEventListener("click", () => {
    const names = Object.keys(THEMES);
    setTheme(names[(names.indexOf(document.documentElement.dataset.theme ?? "") + 1) % names.length]);
  });
  dark.addEventListener("change", paint);

  showTotals();
  setUpTable();
  update();
  drawCharts();
  setTheme("");
})();
