"""The small mistakes that a mutant can have: a node of a program → what stands in its place.

They are the mistakes that programs of this kind really have: bounds, off by one, rounding, ties, a
refusal that is forgotten, `isinstance` for an exact type. Strings are left alone, for a changed key
or code is noticed by any test.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

Change = tuple[ast.AST, ast.AST | str]
"""A node and what stands in its place."""

_TIGHT = (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript)
"""What needs no brackets wherever it stands."""

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add, ast.FloorDiv),
    ast.Div: (ast.FloorDiv, ast.Mult),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitAnd: (ast.BitOr,),
}


def _comparison(node: ast.AST) -> Iterator[Change]:
    """A bound that is in or out, a test turned round."""
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            for other in _COMPARISONS.get(type(operator), ()):
                ops = [*node.ops[:place], other(), *node.ops[place + 1 :]]
                yield node, ast.Compare(left=node.left, ops=ops, comparators=node.comparators)


def _constant(node: ast.AST) -> Iterator[Change]:
    """An integer one more or one less; True for False."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield node, ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield node, ast.Constant(node.value + 1)
        if node.value > 0:
            yield node, ast.Constant(node.value - 1)


def _off_by_one(node: ast.AST) -> Iterator[Change]:
    """The end of a range, the bounds of a slice, an index: one more or one less."""
    bounds: list[ast.expr | None] = []
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        bounds = [*node.args[:2]]
    elif isinstance(node, ast.Slice):
        bounds = [node.lower, node.upper]
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.BinOp | ast.Name):
        bounds = [node.slice]
    for bound in bounds:
        if bound is not None and not _ends_with_a_constant(bound):
            one = ast.Constant(1)
            for sign in (ast.Add(), ast.Sub()):
                yield bound, f"{ast.unparse(ast.BinOp(left=bound, op=sign, right=one))}"


def _ends_with_a_constant(node: ast.AST) -> bool:
    """Then the operator `constant` is at work there."""
    return isinstance(node, ast.Constant) or (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Add | ast.Sub)
        and isinstance(node.right, ast.Constant)
    )


def _arithmetic(node: ast.AST) -> Iterator[Change]:
    """Another operator; a sign dropped."""
    if isinstance(node, ast.BinOp):
        for other in _ARITHMETIC.get(type(node.op), ()):
            yield node, ast.BinOp(left=node.left, op=other(), right=node.right)
    elif isinstance(node, ast.AugAssign):
        for other in _ARITHMETIC.get(type(node.op), ()):
            yield node, ast.unparse(ast.AugAssign(target=node.target, op=other(), value=node.value))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield node, node.operand


def _division(node: ast.AST) -> Iterator[Change]:
    """Rounded up for down, down for up, and a float for an integer."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv):
        up = ast.BinOp(left=ast.UnaryOp(ast.USub(), node.left), op=node.op, right=node.right)
        yield node, f"(-({ast.unparse(up)}))"
        quotient = ast.BinOp(left=node.left, op=ast.Div(), right=node.right)
        yield node, f"int({ast.unparse(quotient)})"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        yield node, ast.Constant(0)


def _exactness(node: ast.AST) -> Iterator[Change]:
    """A float or an integer where an exact rational is due."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        arguments = [ast.unparse(argument) for argument in node.args]
        if node.func.id == "Fraction" and len(arguments) == 2:
            above = arguments[0] if isinstance(node.args[0], _TIGHT) else f"({arguments[0]})"
            yield node, f"Fraction({above} / ({arguments[1]}))"
            yield node, f"Fraction({above} // ({arguments[1]}))"
        elif node.func.id in ("Fraction", "Decimal") and len(arguments) == 1:
            yield node, f"{node.func.id}(float({arguments[0]}))"
        elif node.func.id in ("gcd", "lcm"):
            yield node, ast.Constant(1)


def _extreme(node: ast.AST) -> Iterator[Change]:
    """max for min, one of its arguments alone, bisect left for right, last in for first in."""
    pairs = ("min max", "any all", "bisect_left bisect_right", "ceil floor")
    other = {a: b for pair in pairs for a, b in (pair.split(), pair.split()[::-1])}
    other["popleft"] = "pop"
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        name = node.func.id if isinstance(node.func, ast.Name) else name
        if name in other:
            function = ast.unparse(node.func)[: -len(name)] + other[name]
            arguments = [ast.unparse(part) for part in (*node.args, *node.keywords)]
            yield node, f"{function}({', '.join(arguments)})"
        if name in ("min", "max") and len(node.args) == 2 and not node.keywords:
            yield node, node.args[0]
            yield node, node.args[1]


def _order(node: ast.AST) -> Iterator[Change]:
    """Not sorted, sorted without its key, sorted the other way round; a reversal left out."""
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        name = node.func.id if isinstance(node.func, ast.Name) else name
        if name in ("sorted", "reversed") and node.args:
            yield node, f"list({ast.unparse(node.args[0])})"
        if name in ("sorted", "sort") and "reverse" not in {k.arg for k in node.keywords}:
            said = [ast.unparse(part) for part in (*node.args, *node.keywords)]
            yield node, f"{ast.unparse(node.func)}({', '.join([*said, 'reverse=True'])})"
        if name in ("sorted", "sort", "min", "max"):
            for keyword in node.keywords:
                rest = [*node.args, *(k for k in node.keywords if k is not keyword)]
                arguments = ", ".join(ast.unparse(part) for part in rest)
                yield node, f"{ast.unparse(node.func)}({arguments})"


def _logic(node: ast.AST) -> Iterator[Change]:
    """or for and, one side alone, a negation dropped or put in front of a condition."""
    if isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield node, ast.BoolOp(op=other, values=node.values)
        for place in range(len(node.values)):
            values = [*node.values[:place], *node.values[place + 1 :]]
            rest = values[0] if len(values) == 1 else ast.BoolOp(op=node.op, values=values)
            yield node, rest
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node, node.operand
    elif isinstance(node, ast.If | ast.While | ast.IfExp) and isinstance(
        node.test, ast.Name | ast.Call | ast.Attribute | ast.Subscript
    ):
        yield node.test, f"not {ast.unparse(node.test)}"


def _exact_type(node: ast.AST) -> Iterator[Change]:
    """`isinstance` for `type(x) is int`: then True is an integer."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.left, ast.Call):
        function = node.left.func
        if isinstance(function, ast.Name) and function.id == "type" and len(node.left.args) == 1:
            value, kind = ast.unparse(node.left.args[0]), ast.unparse(node.comparators[0])
            if kind != "int":
                return
            positive = isinstance(node.ops[0], ast.Is | ast.Eq)
            yield node, f"{'' if positive else 'not '}isinstance({value}, {kind})"


def _whole_match(node: ast.AST) -> Iterator[Change]:
    """A pattern that matches the beginning only."""
    if isinstance(node, ast.Attribute) and node.attr == "fullmatch":
        yield node, f"{ast.unparse(node.value)}.match"


def _statement(node: ast.AST) -> Iterator[Change]:
    """A statement left out, a refusal among them. (A name that is never set fails everything.)"""
    if isinstance(node, ast.Assign):
        removable = isinstance(node.targets[0], ast.Subscript | ast.Attribute)
    elif isinstance(node, ast.Expr):
        removable = not isinstance(node.value, ast.Constant)  # a docstring
    else:
        simple = (ast.AugAssign, ast.Raise, ast.Break, ast.Continue, ast.Delete)
        removable = isinstance(node, simple)
    if removable:
        yield node, "pass"


OPERATORS: dict[str, Callable[[ast.AST], Iterator[Change]]] = {
    "comparison": _comparison,
    "constant": _constant,
    "off by one": _off_by_one,
    "arithmetic": _arithmetic,
    "division": _division,
    "exactness": _exactness,
    "extreme": _extreme,
    "order": _order,
    "logic": _logic,
    "exact type": _exact_type,
    "whole match": _whole_match,
    "statement": _statement,
}
