"""What an access touches: only accesses to one slot let a rotation be taken out, whatever operation makes them."""

import pytest
from execute import result_bits
from multibuffered import generic, restaged, schedules
from round_trip import read, write
from xdsl.dialects.builtin import ModuleOp

from rlx_sched.dialect.attributes import Bound
from rlx_sched.sources.schedule import CannotRestage

SPACE = ", #gpu.address_space<workgroup>"
TILE = f"memref<3x4x8xf32{SPACE}>"
VIEW = f"memref<4x8xf32, strided<[8, 1], offset: ?>{SPACE}>"
ROWS = f"memref<3x8xf32{SPACE}>"
HALF = f"memref<3x4x8xf16{SPACE}>"
SQUARE = f"memref<3x16x16xf16{SPACE}>"
MATRIX = '!gpu.mma_matrix<16x16xf16, "COp">'
LONG_MATRIX = '!gpu.mma_matrix<32x8xf16, "COp">'


def kernel(body: str, buffer: str = TILE) -> str:
    """A loop with the counter %i over the slots %slot of %t; `FILL` writes to a slot, and `VIEW` views it."""
    text = f"""
    func.func @f(%in: memref<64x8xf32>, %out: memref<64x8xf32>) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c60 = arith.constant 60 : index
      %zero = arith.constant 0.0 : f32
      %row = vector.step : vector<8xindex>
      %mask = vector.constant_mask [3] : vector<8xi1>
      %ones = arith.constant dense<1.0> : vector<8xf32>
      %long = arith.constant dense<1.0> : vector<64xf32>
      %few = vector.constant_mask [64] : vector<64xi1>
      %t = memref.alloc() : {buffer}
      scf.for %i = %c0 to %c60 step %c4 {{
        %slot = affine.apply affine_map<(d0) -> ((d0 floordiv 4) mod 3)>(%i)
        %x = memref.load %in[%i, %c3] : memref<64x8xf32>
        {body}
      }}
      return
    }}"""
    fill = (
        f"memref.store %x, %t[%slot, %c0, %c0] : {TILE}"
        if buffer == TILE
        else f"memref.store %x, %t[%slot, %c0] : {ROWS}"
    )
    view = f"%v = memref.subview %t[%slot, 0, 0] [1, 4, 8] [1, 1, 1] : {TILE} to {VIEW}"
    return text.replace("FILL", fill).replace("VIEW", view)


def half(body: str, buffer: str = SQUARE) -> str:
    return kernel(f"%h = arith.truncf %x : f32 to f16\nmemref.store %h, %t[%slot, %c0, %c0] : {buffer}\n{body}", buffer)


def load(indices: str, type: str, buffer: str = TILE, memref: str = "%t") -> str:
    return f"%w = vector.load {memref}[{indices}] : {buffer}, {type}"


def store(indices: str, type: str, buffer: str = TILE, memref: str = "%t") -> str:
    return f"%w = vector.broadcast %x : f32 to {type}\nvector.store %w, {memref}[{indices}] : {buffer}, {type}"


def transfer_read(indices: str, type: str, in_bounds: str, buffer: str = TILE, map: str = "") -> str:
    return (
        f"%w = vector.transfer_read %t[{indices}], %zero {{in_bounds = [{in_bounds}]{map}}} : {buffer}, {type}\n"
        f'"test.use"(%w) : ({type}) -> ()'
    )


def transfer_write(indices: str, type: str, in_bounds: str, buffer: str = TILE) -> str:
    return (
        f"%w = vector.broadcast %x : f32 to {type}\n"
        f"vector.transfer_write %w, %t[{indices}] {{in_bounds = [{in_bounds}]}} : {type}, {buffer}"
    )


def load_matrix(indices: str, row: int, type: str = MATRIX, buffer: str = SQUARE, more: str = "") -> str:
    return (
        f"%m = gpu.subgroup_mma_load_matrix %t[{indices}] {{leadDimension = {row} : index{more}}} : {buffer} -> {type}"
    )


def ldmatrix(indices: str, buffer: str) -> str:
    return f"%m = nvgpu.ldmatrix %t[{indices}] {{numTiles = 4 : i32, transpose = false}} : {buffer} -> vector<4x2xf16>"


def store_matrix(indices: str, row: int) -> str:
    return (
        f"%e = gpu.subgroup_mma_constant_matrix %h : {MATRIX}\n"
        f"gpu.subgroup_mma_store_matrix %e, %t[{indices}] {{leadDimension = {row} : index}} : {MATRIX}, {SQUARE}"
    )


def affine_load(indices: str, vector: str = "") -> str:
    """A load of a view in a loop with the counter %a."""
    access = f"affine.vector_load %v[{indices}] : {VIEW}, {vector}" if vector else f"affine.load %v[{indices}] : {VIEW}"
    return kernel(f"VIEW\nFILL\naffine.for %a = 0 to 4 {{\n%w = {access}\n}}")


ZEROS = "%slot, %c0, %c0"
DYNAMIC = f"memref<?x?xf32, strided<[8, 1], offset: ?>{SPACE}>"
SOMEWHERE = f"VIEW\n%d = memref.cast %v : {VIEW} to {DYNAMIC}"
FLAT = "vector<64xi1>, vector<64xf32>"

SEVERAL_SLOTS = {
    "vector.load of two slots": kernel(f"FILL\n{load(ZEROS, 'vector<2x4x8xf32>')}"),
    "vector.load of two rows": kernel(f"FILL\n{load('%slot, %c0', 'vector<2x8xf32>', ROWS)}", ROWS),
    "vector.load of more columns": kernel(f"FILL\n{load(ZEROS, 'vector<64xf32>')}"),
    "vector.load of more rows": kernel(f"FILL\n{load(ZEROS, 'vector<5x8xf32>')}"),
    "vector.load of the last rows": kernel(f"FILL\n{load('%slot, %c3, %c0', 'vector<2x8xf32>')}"),
    "vector.load of the last columns": kernel(f"FILL\n{load('%slot, %c0, %c4', 'vector<8xf32>')}"),
    "vector.load of a scalable vector": kernel(f"FILL\n{load(ZEROS, 'vector<[4]xf32>')}"),
    "vector.load of more than a view": kernel(f"VIEW\nFILL\n{load('%c0, %c0', 'vector<5x8xf32>', VIEW, '%v')}"),
    "vector.load of more than is known of a view": kernel(
        f"{SOMEWHERE}\nFILL\n{load('%c0, %c0', 'vector<5x8xf32>', DYNAMIC, '%d')}"
    ),
    "vector.store of two slots": kernel(f"FILL\n{store(ZEROS, 'vector<2x4x8xf32>')}"),
    "vector.store of two rows": kernel(f"FILL\n{store('%slot, %c0', 'vector<2x8xf32>', ROWS)}", ROWS),
    "vector.store of more columns": kernel(f"FILL\n{store(ZEROS, 'vector<64xf32>')}"),
    "vector.store of more than a view": kernel(f"VIEW\nFILL\n{store('%c0, %c0', 'vector<5x8xf32>', VIEW, '%v')}"),
    "affine.vector_load of more than a view": kernel(
        f"VIEW\nFILL\n%w = affine.vector_load %v[0, 0] : {VIEW}, vector<64xf32>"
    ),
    "affine.vector_store of more than a view": kernel(
        f"VIEW\nFILL\naffine.vector_store %long, %v[0, 0] : {VIEW}, vector<64xf32>"
    ),
    "affine.vector_load of the last columns": affine_load("3, 4", "vector<8xf32>"),
    "affine.vector_load of the last columns, by operands": affine_load("%c3, symbol(%c4)", "vector<8xf32>"),
    "affine.vector_load of the last columns, by a sum": affine_load("%a, %c1 + 3", "vector<8xf32>"),
    "affine.vector_load of the last rows": affine_load("3, 0", "vector<2x8xf32>"),
    "affine.vector_store of the last columns": kernel(
        f"VIEW\nFILL\naffine.vector_store %ones, %v[3, 4] : {VIEW}, vector<8xf32>"
    ),
    "affine.load of a row that is not there": affine_load("4, 0"),
    "affine.load of a row before the first": affine_load("-1, 0"),
    "affine.store of a row that is not there": kernel(f"VIEW\nFILL\naffine.store %x, %v[4, 0] : {VIEW}"),
    "vector.load of the last columns, by affine.apply": kernel(
        "FILL\n%last = affine.apply affine_map<(d0) -> (d0 + 3)>(%c1)\n" + load("%slot, %c0, %last", "vector<8xf32>")
    ),
    "memref.load of a row that is not there, by affine.apply": kernel(
        f"FILL\n%r = affine.apply affine_map<() -> (4)>()\n%w = memref.load %t[%slot, %r, %c0] : {TILE}"
    ),
    "vector.transfer_read of two slots": kernel(
        f"FILL\n{transfer_read(ZEROS, 'vector<2x4x8xf32>', 'true, true, true')}"
    ),
    "vector.transfer_read of two slots, masked": kernel(
        f"FILL\n{transfer_read(ZEROS, 'vector<2x4x8xf32>', 'false, false, false')}"
    ),
    "vector.transfer_read of a column over the slots": kernel(
        "FILL\n"
        + transfer_read(ZEROS, "vector<2xf32>", "true", map=", permutation_map = affine_map<(d0, d1, d2) -> (d0)>")
    ),
    "vector.transfer_read of more columns": kernel(f"FILL\n{transfer_read(ZEROS, 'vector<64xf32>', 'true')}"),
    "vector.transfer_write of two slots": kernel(
        f"FILL\n{transfer_write(ZEROS, 'vector<2x4x8xf32>', 'true, true, true')}"
    ),
    "vector.transfer_write of more rows": kernel(f"FILL\n{transfer_write(ZEROS, 'vector<5x8xf32>', 'true, true')}"),
    "vector.maskedload": kernel(
        f"FILL\n%w = vector.maskedload %t[{ZEROS}], %few, %long : {TILE}, {FLAT} into vector<64xf32>"
    ),
    "vector.maskedstore": kernel(f"FILL\nvector.maskedstore %t[{ZEROS}], %few, %long : {TILE}, {FLAT}"),
    "vector.expandload": kernel(
        f"FILL\n%w = vector.expandload %t[{ZEROS}], %few, %long : {TILE}, {FLAT} into vector<64xf32>"
    ),
    "vector.compressstore": kernel(f"FILL\nvector.compressstore %t[{ZEROS}], %few, %long : {TILE}, {FLAT}"),
    "vector.gather": kernel(
        f"FILL\n%w = vector.gather %t[{ZEROS}] [%row], %mask, %ones"
        f" : {TILE}, vector<8xindex>, vector<8xi1>, vector<8xf32> into vector<8xf32>"
    ),
    "vector.scatter": kernel(
        f"FILL\nvector.scatter %t[{ZEROS}] [%row], %mask, %ones : {TILE}, vector<8xindex>, vector<8xi1>, vector<8xf32>"
    ),
    "memref.subview of two slots": kernel(
        f"FILL\n%s = memref.subview %t[%slot, 0, 0] [2, 4, 8] [1, 1, 1]"
        f" : {TILE} to memref<2x4x8xf32, strided<[32, 8, 1], offset: ?>{SPACE}>"
    ),
    "memref.subview of a number of slots": kernel(
        f"FILL\n%s = memref.subview %t[%slot, 0, 0] [%c1, 4, 8] [1, 1, 1]"
        f" : {TILE} to memref<?x4x8xf32, strided<[32, 8, 1], offset: ?>{SPACE}>"
    ),
    "memref.collapse_shape": kernel(
        f"FILL\n%s = memref.collapse_shape %t [[0, 1, 2]] : {TILE} into memref<96xf32{SPACE}>"
    ),
    "memref.expand_shape": kernel(
        f"FILL\n%s = memref.expand_shape %t [[0], [1], [2, 3]] output_shape [3, 4, 2, 4]"
        f" : {TILE} into memref<3x4x2x4xf32{SPACE}>"
    ),
    "memref.reinterpret_cast": kernel(
        f"FILL\n%s = memref.reinterpret_cast %t to offset: [0], sizes: [96], strides: [1]"
        f" : {TILE} to memref<96xf32, strided<[1]>{SPACE}>"
    ),
    "memref.transpose": kernel(
        f"FILL\n%s = memref.transpose %t (a, b, c) -> (a, c, b)"
        f" : {TILE} to memref<3x8x4xf32, strided<[32, 1, 8]>{SPACE}>"
    ),
    "memref.memory_space_cast": kernel(f"FILL\n%s = memref.memory_space_cast %t : {TILE} to memref<3x4x8xf32>"),
    "memref.copy": kernel(
        f"FILL\n%s = memref.alloc() : memref<3x4x8xf32>\nmemref.copy %t, %s : {TILE} to memref<3x4x8xf32>"
    ),
    "memref.atomic_rmw": kernel(f"FILL\n%w = memref.atomic_rmw addf %x, %t[{ZEROS}] : (f32, {TILE}) -> f32"),
    "memref.prefetch": kernel(f"FILL\nmemref.prefetch %t[{ZEROS}], read, locality<3>, data : {TILE}"),
    "linalg.fill": kernel(f"FILL\nlinalg.fill ins(%zero : f32) outs(%t : {TILE})"),
    "gpu.memset": kernel(f"FILL\ngpu.memset %t, %zero : {TILE}, f32"),
    "gpu.memcpy": kernel(
        f"FILL\n%s = memref.alloc() : memref<3x4x8xf32>\ngpu.memcpy %t, %s : {TILE}, memref<3x4x8xf32>"
    ),
    "gpu.subgroup_mma_load_matrix with longer rows": half(load_matrix(ZEROS, 32)),
    "gpu.subgroup_mma_load_matrix with shorter rows": half(load_matrix(ZEROS, 8)),
    "gpu.subgroup_mma_load_matrix of more rows": half(load_matrix(ZEROS, 16, LONG_MATRIX)),
    "gpu.subgroup_mma_load_matrix of more columns": half(load_matrix(ZEROS, 16, LONG_MATRIX, more=", transpose")),
    "gpu.subgroup_mma_load_matrix of the last rows": half(load_matrix("%slot, %c4, %c0", 16)),
    "gpu.subgroup_mma_store_matrix with longer rows": half(store_matrix(ZEROS, 32)),
    "gpu.subgroup_mma_store_matrix of the last rows": half(store_matrix("%slot, %c1, %c0", 16)),
    "nvgpu.ldmatrix": half(ldmatrix("%slot, %c0, %c4", HALF), HALF),
}
"""Kernels with an access that is not to one slot, or that cannot be seen to be."""


def assert_left_alone(module: ModuleOp, condition: str) -> None:
    (schedule,) = schedules(module)
    text = write(module)
    assert schedule.stages == 3
    for stages in (1, 2):
        with pytest.raises(CannotRestage) as error:
            schedule.restage(stages)
        assert error.value.condition == condition
    assert write(module) == text


@pytest.mark.parametrize("name", SEVERAL_SLOTS)
def test_more_than_one_slot(name: str):
    assert_left_alone(read(generic(SEVERAL_SLOTS[name])), "unsupported-user")


ONE_SLOT = {
    "vector.load": kernel(f"FILL\n{load(ZEROS, 'vector<4x8xf32>')}"),
    "vector.load with the slot": kernel(f"FILL\n{load(ZEROS, 'vector<1x4x8xf32>')}"),
    "vector.load of the last row": kernel(f"FILL\n{load('%slot, %c3, %c0', 'vector<8xf32>')}"),
    "vector.load of a view": kernel(f"VIEW\nFILL\n{load('%c0, %c0', 'vector<4x8xf32>', VIEW, '%v')}"),
    "vector.load of what is known of a view": kernel(
        f"{SOMEWHERE}\nFILL\n{load('%c0, %c0', 'vector<4x8xf32>', DYNAMIC, '%d')}"
    ),
    "vector.store": kernel(store(ZEROS, "vector<4x8xf32>")),
    "vector.store of a row": kernel(store("%slot, %c0", "vector<8xf32>", ROWS), ROWS),
    "vector.transfer_read": kernel(f"FILL\n{transfer_read(ZEROS, 'vector<4x8xf32>', 'true, true')}"),
    "vector.transfer_read with the slot": kernel(
        f"FILL\n{transfer_read(ZEROS, 'vector<1x4x8xf32>', 'true, true, true')}"
    ),
    "vector.transfer_read of more, masked": kernel(f"FILL\n{transfer_read(ZEROS, 'vector<8x64xf32>', 'false, false')}"),
    "vector.transfer_read of a column": kernel(
        "FILL\n"
        + transfer_read(ZEROS, "vector<4xf32>", "true", map=", permutation_map = affine_map<(d0, d1, d2) -> (d1)>")
    ),
    "vector.transfer_write": kernel(transfer_write(ZEROS, "vector<4x8xf32>", "true, true")),
    "affine.vector_load": affine_load("0, 0", "vector<8xf32>"),
    "affine.vector_load of the last row": affine_load("3, 0", "vector<8xf32>"),
    "affine.vector_load of the last columns": affine_load("%c3, %c1 + 3", "vector<4xf32>"),
    "affine.vector_load of any row": affine_load("%a, 0", "vector<8xf32>"),
    "affine.load of the last element": affine_load("3, 7"),
    "gpu.subgroup_mma_load_matrix": half(load_matrix(ZEROS, 16)),
    "gpu.subgroup_mma_load_matrix, transposed": half(load_matrix(ZEROS, 16, more=", transpose")),
    "gpu.subgroup_mma_store_matrix": half(store_matrix(ZEROS, 16)),
    "nvgpu.ldmatrix": half(ldmatrix(ZEROS, HALF), HALF),
}
"""Kernels with an access that is to one slot."""


@pytest.mark.parametrize("stages", [1, 2])
@pytest.mark.parametrize("name", ONE_SLOT)
def test_one_slot(name: str, stages: int):
    before = generic(ONE_SLOT[name])
    after = restaged(before, stages)
    assert "memref<3x" in before
    assert "memref<3x" not in after


def test_a_division_by_zero_is_no_known_index():
    """Such a map is no MLIR, but it can be read."""
    text = SEVERAL_SLOTS["vector.load of the last columns, by affine.apply"]
    module = read(generic(text).replace("d0 + 3", "d0 mod 0"))
    (schedule,) = schedules(module)
    schedule.restage(1)
    assert "memref<3x" not in write(module)


def ring(store: str, load: str, *, rows: int = 64, step: int = 16) -> str:
    """Rows go into a buffer of `rows` rows and out of it, `step` of them in each iteration."""
    return f"""
    func.func @f(%in: memref<1024x16xf32>, %out: memref<1024x16xf32>) {{
      %c0 = arith.constant 0 : index
      %step = arith.constant {step} : index
      %c1024 = arith.constant 1024 : index
      %pad = arith.constant 0.0 : f32
      %t = memref.alloc() : memref<{rows}x16xf32{SPACE}>
      scf.for %i = %c0 to %c1024 step %step {{
        %row = affine.apply affine_map<(d0) -> (d0 mod {rows})>(%i)
        {store}
        {load}
      }}
      return
    }}""".replace("RING", f"memref<{rows}x16xf32{SPACE}>")


STEP = "memref<16x16xf32, strided<[16, 1], offset: ?>>"
STEP_VIEW = f"memref<16x16xf32, strided<[16, 1], offset: ?>{SPACE}>"
RINGS = {
    "vector.transfer": ring(
        """%v = vector.transfer_read %in[%i, %c0], %pad {in_bounds = [true, true]}
            : memref<1024x16xf32>, vector<16x16xf32>
        vector.transfer_write %v, %t[%row, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, RING""",
        """%w = vector.transfer_read %t[%row, %c0], %pad {in_bounds = [true, true]} : RING, vector<16x16xf32>
        vector.transfer_write %w, %out[%i, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<1024x16xf32>""",
    ),
    "vector.load and store": ring(
        """%v = vector.load %in[%i, %c0] : memref<1024x16xf32>, vector<16x16xf32>
        vector.store %v, %t[%row, %c0] : RING, vector<16x16xf32>""",
        """%w = vector.load %t[%row, %c0] : RING, vector<16x16xf32>
        vector.store %w, %out[%i, %c0] : memref<1024x16xf32>, vector<16x16xf32>""",
    ),
    "memref.subview": ring(
        f"""%s = memref.subview %t[%row, 0] [16, 16] [1, 1] : RING to {STEP_VIEW}
        %from = memref.subview %in[%i, 0] [16, 16] [1, 1] : memref<1024x16xf32> to {STEP}
        memref.copy %from, %s : {STEP} to {STEP_VIEW}""",
        f"""%to = memref.subview %out[%i, 0] [16, 16] [1, 1] : memref<1024x16xf32> to {STEP}
        memref.copy %s, %to : {STEP_VIEW} to {STEP}""",
    ),
    "gpu.subgroup_mma": ring(
        """%v = gpu.subgroup_mma_load_matrix %in[%i, %c0] {leadDimension = 16 : index}
            : memref<1024x16xf32> -> !gpu.mma_matrix<16x16xf32, "COp">
        gpu.subgroup_mma_store_matrix %v, %t[%row, %c0] {leadDimension = 16 : index}
            : !gpu.mma_matrix<16x16xf32, "COp">, RING""",
        """%w = gpu.subgroup_mma_load_matrix %t[%row, %c0] {leadDimension = 16 : index}
            : RING -> !gpu.mma_matrix<16x16xf32, "COp">
        gpu.subgroup_mma_store_matrix %w, %out[%i, %c0] {leadDimension = 16 : index}
            : !gpu.mma_matrix<16x16xf32, "COp">, memref<1024x16xf32>""",
    ),
    "nvgpu.device_async_copy": ring(
        "%e = nvgpu.device_async_copy %in[%i, %c0], %t[%row], 4 : memref<1024x16xf32> to RING", ""
    ).replace("64x16xf32", "64xf32"),
    "vector.load and store of numbers": ring(
        """%v = vector.load %in[%i, %c0] : memref<1024x16xf32>, vector<4xf32>
        vector.store %v, %t[%row] : RING, vector<4xf32>""",
        """%w = vector.load %t[%row] : RING, vector<4xf32>
        vector.store %w, %out[%i, %c0] : memref<1024x16xf32>, vector<4xf32>""",
    ).replace("64x16xf32", "64xf32"),
}


@pytest.mark.parametrize("name", RINGS)
def test_slots_of_several_rows_are_not_seen(name: str):
    """Sixteen rows are a slot here, or four numbers; that the leading dimension is 64 does not make it 64 slots."""
    (schedule,) = schedules(read(generic(RINGS[name])))
    assert schedule.stages == 1
    assert schedule.unknown == "a loop goes through a buffer in a way that does not show its slots"
    assert schedule.footprint(1).bound is Bound.EXACT
    assert schedule.baseline().bound is Bound.AT_MOST


def rows(count: int, load: str, *, slots: int = 3) -> str:
    """One row is written where `count` are read."""
    out = f"memref<1024x{count}x16xf32>"
    text = f"""
    func.func @f(%in: memref<1024x16xf32>, %out: {out}) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c1024 = arith.constant 1024 : index
      %pad = arith.constant 0.0 : f32
      %t = memref.alloc() : RING
      scf.for %i = %c0 to %c1024 step %c1 {{
        %slot = affine.apply affine_map<(d0) -> (d0 mod {slots})>(%i)
        %v = vector.load %in[%i, %c0] : memref<1024x16xf32>, vector<16xf32>
        vector.store %v, %t[%slot, %c0] : RING, vector<16xf32>
        {load}
        vector.transfer_write %w, %out[%i, %c0, %c0] : VECTOR, {out}
      }}
      return
    }}"""
    return text.replace("RING", f"memref<{slots}x16xf32{SPACE}>").replace(
        "VECTOR", "vector<16xf32>" if count == 1 else f"vector<{count}x16xf32>"
    )


READS = {
    "vector.transfer_read": "%w = vector.transfer_read %t[%slot, %c0], %pad : RING, VECTOR",
    "vector.load": "%w = vector.load %t[%slot, %c0] : RING, VECTOR",
}


def bits(text: str, count: int) -> list[int]:
    return result_bits(text, "f", [(1024, 16), (1024, count, 16)])


@pytest.mark.parametrize("name", READS)
def test_reading_the_row_that_was_written(name: str):
    before = generic(rows(1, READS[name]))
    expected = bits(before, 1)
    for stages in (1, 2):
        after = restaged(before, stages)
        assert "memref<3x16xf32" not in after
        assert bits(after, 1) == expected


@pytest.mark.parametrize("name", READS)
def test_reading_the_row_of_another_slot_too(name: str):
    assert_left_alone(read(generic(rows(2, READS[name]))), "unsupported-user")


def leaving_the_slot(slots: int) -> str:
    """The last four of eight numbers are in the next slot; their columns are not there."""
    return generic(f"""
    func.func @f(%in: memref<64x8xf32>, %out: memref<64x8xf32>) {{
      %t = memref.alloc() : memref<{slots}x4x8xf32{SPACE}>
      affine.for %i = 0 to 15 {{
        %slot = affine.apply affine_map<(d0) -> (d0 mod {slots})>(%i)
        %v = memref.subview %t[%slot, 0, 0] [1, 4, 8] [1, 1, 1] : memref<{slots}x4x8xf32{SPACE}> to {VIEW}
        affine.for %a = 0 to 4 {{
          %x = affine.vector_load %in[%i * 4 + %a, 0] : memref<64x8xf32>, vector<8xf32>
          affine.vector_store %x, %v[%a, 0] : {VIEW}, vector<8xf32>
        }}
        %w = affine.vector_load %v[3, 4] : {VIEW}, vector<8xf32>
        affine.vector_store %w, %out[%i, 0] : memref<64x8xf32>, vector<8xf32>
      }}
      return
    }}""")


def test_what_an_affine_access_reads_of_the_next_slot_changes_what_is_computed():
    """Iteration 2 to 14 read, next to the end of their slot, what another iteration wrote."""
    shapes = [(64, 8)] * 2
    three, four = (result_bits(leaving_the_slot(slots), "f", shapes) for slots in (3, 4))
    assert three[24:88] != four[24:88]
    assert_left_alone(read(leaving_the_slot(3)), "unsupported-user")


def test_another_slot_changes_what_is_computed():
    """So the rotation of these kernels may not go."""
    three, one = (bits(generic(rows(2, READS["vector.transfer_read"], slots=slots)), 2) for slots in (3, 1))
    assert three != one
