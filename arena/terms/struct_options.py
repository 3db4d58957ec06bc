"""Lets cyclopts read the options of a command from a msgspec struct, and checks their limits.

A setting is declared once: the annotation, default and docstring of a struct's field give the command line its option
and help, the tournament file its key, and the log its field with the limits that msgspec checks on reading.
"""

from __future__ import annotations

import inspect
from typing import Annotated, Any, TypeVar, get_args, get_type_hints

import msgspec
from cyclopts import Group, Parameter
from msgspec.inspect import FloatType, IntType, StructType, UnionType

from arena.errors import UsageError

OptionsClass = TypeVar("OptionsClass", bound=type[msgspec.Struct])


def struct_options(cls: OptionsClass, group: Group | None = None, **names: str) -> OptionsClass:
    """Let cyclopts take the fields of a struct as options, and return the struct; also a class decorator.

    For a struct of another package, whose annotations have no `Parameter`, `names` maps fields to options (`start_s` to
    `--start-timeout`), and `group` is their heading in the help.

    cyclopts reads the signature of `__init__`, which msgspec does not give to its structs. The `__init__` that is set
    here is never called, because msgspec creates structs without it; only its signature is used.
    """

    def __init__(self: Any, **values: Any) -> None:  # noqa: N807
        raise NotImplementedError

    hints = get_type_hints(cls, include_extras=True)
    for field, name in names.items():
        hints[field] = Annotated[hints[field], Parameter(name=name, group=group)]
    self_parameter = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    fields = [
        parameter.replace(annotation=hints[parameter.name], kind=inspect.Parameter.KEYWORD_ONLY)
        for parameter in inspect.signature(cls).parameters.values()
    ]
    __init__.__signature__ = inspect.Signature([self_parameter, *fields])  # type: ignore[attr-defined]
    setattr(cls, "__init__", __init__)  # noqa: B010 - mypy forbids to assign to a method
    return cls


def option_name(cls: type[msgspec.Struct], field: str) -> str:
    """Return the option of a field of a struct that `struct_options` was applied to, such as `--max-plies`."""
    annotation = inspect.signature(cls.__init__).parameters[field].annotation
    names = [name for part in get_args(annotation) if isinstance(part, Parameter) for name in part.name or ()]
    return names[0] if names else f"--{field.replace('_', '-')}"


def check_limits(options: msgspec.Struct) -> None:
    """Raise UsageError naming the option if a value is outside the limits of its field; nested structs are included."""
    struct_type = msgspec.inspect.type_info(type(options))
    assert isinstance(struct_type, StructType)
    for field in struct_type.fields:
        value = getattr(options, field.name)
        if isinstance(value, msgspec.Struct) and hasattr(type(value).__init__, "__signature__"):
            check_limits(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            _check_number(option_name(type(options), field.name), value, field.type)


def _check_number(option: str, value: float, field_type: object) -> None:
    """Raise UsageError if a number is outside the limits of the type, or of a numeric type in a union."""
    for limits in field_type.types if isinstance(field_type, UnionType) else (field_type,):
        if not isinstance(limits, IntType | FloatType):
            continue
        # `not value >= limit` instead of `value < limit`: NaN is refused
        if limits.ge is not None and not value >= limits.ge:
            raise UsageError(f"{option} must be {limits.ge} or more, not {value}")
        if limits.gt is not None and not value > limits.gt:
            raise UsageError(f"{option} must be above {limits.gt}, not {value:g}")
        if limits.le is not None and not value <= limits.le:
            raise UsageError(f"{option} must be {limits.le} or less, not {value}")
