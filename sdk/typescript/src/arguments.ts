import { InvalidError } from "./errors.js";

/** A moment: a Date, or text in ISO 8601 (local without a zone; a day is its start). */
export type Time = Date | string;

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/;

/** Writes a time for the server. */
export function timeOf(value: Time | undefined, name: string): string | undefined {
  if (value === undefined) {
    return undefined;
  }
  let at: Date | undefined;
  if (value instanceof Date) {
    at = value;
  } else if (typeof value === "string") {
    const day = DAY.exec(value);
    at = day ? new Date(Number(day[1]), Number(day[2]) - 1, Number(day[3])) : MOMENT.test(value) ? new Date(value) : undefined;
  }
  if (at === undefined || Number.isNaN(at.getTime())) {
    throw new InvalidError(`${name} is not a time: ${JSON.stringify(value)}`, { hint: "use a Date, or text such as 2026-05-03T10:00:00Z" });
  }
  return at.toISOString();
}

/** Refuses what is no text. Half of a surrogate pair, which UTF-8 cannot hold, is stored as U+FFFD. */
export function checkText(value: unknown, name: string): string {
  if (typeof value !== "string") {
    throw new InvalidError(`${name} must be text, not ${value === null ? "null" : typeof value}`);
  }
  return value;
}

/** Says whether a text holds half of a surrogate pair. */
export function hasHalf(text: string): boolean {
  return !text.isWellFormed();
}

/** Writes a part of a path or a query. Names must be exact, so nothing is repaired in them. */
export function quoted(value: string, name: string): string {
  if (typeof value !== "string") {
    throw new InvalidError(`${name} must be text, not ${value === null ? "null" : typeof value}`);
  }
  if (!value.isWellFormed()) {
    throw new InvalidError(`${name} holds half of a surrogate pair: ${JSON.stringify(value)}`);
  }
  return encodeURIComponent(value);
}

/** Returns the id of an item, or a number that is one. */
export function idOf(thing: number | { id: number }): string {
  const id = typeof thing === "number" ? thing : thing?.id;
  if (!Number.isSafeInteger(id) || id <= 0) {
    throw new InvalidError(`${JSON.stringify(thing)} is not an id`, { hint: "use a number such as 14, or what facts and search give" });
  }
  return String(id);
}
