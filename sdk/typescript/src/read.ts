/** A decoded JSON object. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = Record<string, any>;

/**
 * The fields of objects, by type, as JSON names them and with blanks between them. What
 * stands behind a name says how it is read: `@` is a time, `?` a flag, `{}` a map, `:T` an
 * object, `[T]` a list of objects, `[]` a list of plain values.
 */
export type Shapes = Readonly<Record<string, string>>;

type Field = (d: Json, out: Json) => void;

/**
 * Returns what reads a type from decoded JSON. Fields have names in camelCase, and those that
 * are not known are left out. Lists, maps and flags are always there.
 */
export function reader<T>(shapes: Shapes, type: string): (d: Json) => T {
  return (d) => read(shapes, type, d) as T;
}

// The fields of each type, taken apart when they are first needed.
const known = new WeakMap<Shapes, Map<string, Field[]>>();

function read(shapes: Shapes, type: string, d: Json): Json {
  let types = known.get(shapes);
  if (types === undefined) {
    types = new Map();
    known.set(shapes, types);
  }
  let fields = types.get(type);
  if (fields === undefined) {
    fields = (shapes[type] ?? "").split(" ").map((f) => field(shapes, f));
    types.set(type, fields);
  }
  const out: Json = {};
  for (const f of fields) {
    f(d, out);
  }
  return out;
}

function field(shapes: Shapes, shape: string): Field {
  const [, name = "", how = "", of = ""] = /^(\w+)(\W*)(\w*)/.exec(shape) ?? [];
  const key = name.replace(/_(\w)/g, (_, c: string) => c.toUpperCase());
  const value = values[how];
  if (value === undefined) {
    throw new Error(`a field cannot be read by ${shape}`);
  }
  return (d, out) => {
    out[key] = value(d[name], (x) => read(shapes, of, x));
  };
}

// How values are read, by what stands behind a name.
const values: Record<string, (v: unknown, inner: (d: Json) => unknown) => unknown> = {
  "": (v) => v,
  "@": (v) => (v === undefined ? undefined : new Date(v as string)),
  "?": (v) => v ?? false,
  "{}": (v) => v ?? {},
  ":": (v, inner) => (v === undefined ? undefined : inner(v as Json)),
  "[]": (v) => v ?? [], // old answers may hold null
  "[": (v, inner) => ((v ?? []) as Json[]).map(inner),
};
