"""xdsl-gui with rlx-sched in it: a terminal interface that shows what passes do to a module.

xDSL 0.75's own `xdsl-gui` offers xDSL's passes and dialects only; this offers those of every package that is installed.

    pip install 'xdsl[gui]'
    python examples/gui.py examples/sgemm_msl_16x16.mlir
"""

import sys
from pathlib import Path

from xdsl.interactive.app import InputApp
from xdsl.universe import Universe


def make_app(path: Path) -> InputApp:
    everything = Universe.get_multiverse()
    passes = [(name, factory()) for name, factory in sorted(everything.all_passes.items())]
    return InputApp(
        tuple(everything.all_dialects.items()), tuple(passes), str(path), path.read_text(encoding="utf-8"), ()
    )


def main() -> None:
    make_app(Path(sys.argv[1])).run()


if __name__ == "__main__":
    main()
