"""What the WGSL and the MSL printer share: statements that differ only in declarations and in the barrier."""

from collections.abc import Iterable, Iterator

from rlx_sched.kernels.loops import Barrier, Block, For, If, Let, Set, Statement, Var


class StatementPrinter:
    """Prints statements; a language says how it declares names and how it waits."""

    barrier: str
    """The statement that makes a threadgroup wait."""

    def constant(self, statement: Let) -> str:
        """Declare a value that does not change."""
        raise NotImplementedError

    def variable(self, statement: Var) -> str:
        """Declare a variable."""
        raise NotImplementedError

    def lines(self, body: Iterable[Statement], depth: int = 1) -> Iterator[str]:
        """Yield the lines of `body`, indented by `depth`."""
        indent = "  " * depth
        for statement in body:
            match statement:
                case Let():
                    yield indent + self.constant(statement)
                case Var():
                    yield indent + self.variable(statement)
                case Set(place, value):
                    yield f"{indent}{place} = {value};"
                case Barrier():
                    yield indent + self.barrier
                case Block(inner):
                    yield f"{indent}{{"
                    yield from self.lines(inner, depth + 1)
                    yield f"{indent}}}"
                case If(condition, inner):
                    yield f"{indent}if ({condition}) {{"
                    yield from self.lines(inner, depth + 1)
                    yield f"{indent}}}"
                case For(name, stop, inner):
                    counter = self.variable(Var(name, "uint", "0u"))
                    yield f"{indent}for ({counter} {name} < {stop}; {name} = {name} + 1u) {{"
                    yield from self.lines(inner, depth + 1)
                    yield f"{indent}}}"
