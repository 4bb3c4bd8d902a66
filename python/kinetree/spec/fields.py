"""Fields of elements as Python values: arrays and lists that write through to the description."""

import weakref

import numpy as np

from kinetree.spec import texts


class FieldArray(np.ndarray):
    """An array whose changes go into the field that it was read from; results of arithmetic are plain arrays."""

    def __array_finalize__(self, source):
        # a slice belongs to the same field; anything computed loses its owner when it is looked at
        self._root = getattr(source, "_root", None)

    @classmethod
    def of(cls, owner, name, values):
        """The live array of a field."""
        array = values.view(cls)
        array._root = (weakref.ref(array), owner, name)
        return array

    def _push(self):
        if self._root is None:
            return
        root, owner, name = self._root
        array = root()
        if array is not None and np.shares_memory(self.view(np.ndarray), array.view(np.ndarray)):
            owner._put(name, np.array(array))

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        self._push()

    def fill(self, value):
        """Sets all numbers."""
        super().fill(value)
        self._push()

    def sort(self, *args, **kwargs):
        """Sorts in place."""
        super().sort(*args, **kwargs)
        self._push()

    def put(self, *args, **kwargs):
        """Sets values at given indices."""
        super().put(*args, **kwargs)
        self._push()

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **kwargs):
        def plain(value):
            return value.view(np.ndarray) if isinstance(value, FieldArray) else value

        if out is not None:
            kwargs["out"] = tuple(plain(value) for value in out)
        result = getattr(ufunc, method)(*(plain(value) for value in inputs), **kwargs)
        for target in out or ():
            if isinstance(target, FieldArray):
                target._push()
                return target
        return result

    def __array_function__(self, function, types, args, kwargs):
        result = super().__array_function__(function, types, args, kwargs)
        for value in args:
            if isinstance(value, FieldArray):
                value._push()
        return result.view(np.ndarray) if isinstance(result, FieldArray) else result

    def __reduce__(self):
        return np.array(self).__reduce__()


class TextList:
    """A list of strings or characters whose changes go into the field that it was read from."""

    def __init__(self, owner, name, values):
        self._owner, self._name, self._values = owner, name, values

    def __len__(self):
        return len(self._values)

    def __iter__(self):
        return iter(self._values)

    def _check(self, index):
        if not 0 <= index < len(self._values):
            raise IndexError(f"index {index} is not between 0 and {len(self._values) - 1}")

    def __getitem__(self, index):
        if isinstance(index, slice):
            return self._values[index]
        self._check(index)
        return self._values[index]

    def __setitem__(self, index, value):
        self._check(index)
        values = list(self._values)
        values[index] = value
        self._owner._put(self._name, values)
        self._values = values

    def __eq__(self, other):
        return list(self) == list(other)

    def __repr__(self):
        return repr(self._values)


class Fields:
    """Something with fields in a description. Subclasses say where: `_where` gives the description, the kind and the index."""

    __slots__ = ("_live", "__weakref__")

    def __init__(self):
        object.__setattr__(self, "_live", {})

    def _get(self, name):
        """The value of a field; arrays stay live while a program holds them."""
        live = self._live.get(name)
        array = live() if live is not None else None
        if array is not None:
            return array
        spec, kind, index = self._where()
        value = spec._get(kind, index, name)
        if isinstance(value, np.ndarray):
            value = FieldArray.of(self, name, value)
            self._live[name] = weakref.ref(value)
        elif isinstance(value, list) and (not value or isinstance(value[0], str)):
            value = TextList(self, name, value)
        elif name == "vertid":
            value = [[int(number) for number in row] for row in value]
        return value

    def _put(self, name, value):
        """Sets a field in the description only."""
        spec, kind, index = self._where()
        spec._set(kind, index, name, list(value) if isinstance(value, TextList) else value)

    def _assign(self, name, value):
        """Sets a field, and the arrays that were handed out for it."""
        self._put(name, value)
        self._refresh([name])

    def _refresh(self, names=None):
        """Brings arrays that were handed out up to date."""
        spec, kind, index = self._where()
        for name in list(names or self._live):
            live = self._live.get(name)
            array = live() if live is not None else None
            if array is None:
                self._live.pop(name, None)
                continue
            value = spec._get(kind, index, name)
            if value.shape == array.shape:
                np.ndarray.__setitem__(array, ..., value)
            else:
                # a list of another length is another array
                array._root = None
                self._live.pop(name)


def field(name, doc=None):
    """A property that reads and writes a field."""

    def get(self):
        return self._get(name)

    def put(self, value):
        self._assign(name, value)

    return property(get, put, doc=doc or f"The field `{name}`.")


class Settings(Fields):
    """A group of settings of the whole model."""

    __slots__ = ("_spec", "_kind", "_place")

    def __init__(self, spec, kind, place=0):
        super().__init__()
        for name, value in (("_spec", spec), ("_kind", kind), ("_place", place)):
            object.__setattr__(self, name, value)

    def _where(self):
        return self._spec, self._kind, self._place

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self._get(name)

    def __setattr__(self, name, value):
        self._assign(name, value)

    def __eq__(self, other):
        return isinstance(other, Settings) and self._where() == other._where()

    def __hash__(self):
        return hash((id(self._spec), self._kind, self._place))


class MjsCompiler(Settings):
    """Settings of the compiler, `spec.compiler`: units of angles, folders of assets, how inertia is found."""

    __slots__ = ()

    @property
    def LRopt(self):  # noqa: N802
        """Settings of the search for actuator length ranges, with the fields of `MjLROpt`."""
        return Settings(self._spec, "lengthrange", self._place)

    def __setattr__(self, name, value):
        self._assign(name, value)


for _name in ("alignfree autolimits balanceinertia boundinertia boundmass degree discardvisual eulerseq fitaabb fusestatic inertiafromgeom "
              "inertiagrouprange meshdir saveinertial settotalmass texturedir usethread").split():
    setattr(MjsCompiler, _name, field(_name, texts.COMPILER[_name]))


class VisualSettings:
    """Visualization settings, by group."""

    def __init__(self, spec):
        groups = ("global", "quality", "headlight", "map", "scale", "rgba")
        self.__dict__.update({group: Settings(spec, f"visual.{group}") for group in groups})
        self.__dict__["global_"] = self.__dict__["global"]

    def __setattr__(self, name, value):
        raise AttributeError(f"set the fields of {name!r} one by one")
