// A transform script for mlir-opt: three slots for every buffer in threadgroup memory.
//
//   mlir-opt --transform-preload-library=transform-library-paths=multibuffer.mlir --transform-interpreter
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %kernel = transform.structured.match attributes {sym_name = "mm"} in %root : (!transform.any_op) -> !transform.any_op
    %buffers = transform.structured.match ops{["memref.alloc"]} in %kernel
        : (!transform.any_op) -> !transform.op<"memref.alloc">
    %slots = transform.memref.multibuffer %buffers {factor = 3 : i64, skip_analysis}
        : (!transform.op<"memref.alloc">) -> !transform.any_op
    transform.yield
  }
}
