/** What an {@link OrmaError} is made with, besides its message. */
export interface ErrorOptions {
  /** Names the kind of failure; the same in every front end of Orma. */
  code?: string | undefined;
  /** What to do about it. */
  hint?: string | undefined;
  /** The HTTP status, if a server answered. */
  status?: number | undefined;
  cause?: unknown;
}

/** Something failed. All errors of this package are of this class. */
export class OrmaError extends Error {
  /** Names the kind of failure; the same in every front end of Orma. */
  readonly code: string;
  /** What to do about it. */
  readonly hint: string | undefined;
  /** The HTTP status, if a server answered. */
  readonly status: number | undefined;

  constructor(message: string, options: ErrorOptions = {}) {
    super(options.hint ? `${message}; ${options.hint}` : message, { cause: options.cause });
    this.name = new.target.name;
    this.code = options.code ?? "internal";
    this.hint = options.hint;
    this.status = options.status;
  }
}

/** There is no such item, or it is in another space. */
export class NotFoundError extends OrmaError {}
/** The input cannot be accepted as it is. */
export class InvalidError extends OrmaError {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, { code: "invalid", ...options });
  }
}
/** The input is over a limit, which the message names. */
export class TooLargeError extends OrmaError {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, { code: "too_large", ...options });
  }
}
/** A quota is used up. */
export class LimitError extends OrmaError {}
/** It does not fit what is stored. */
export class ConflictError extends OrmaError {}
/** A configuration file or a switch is wrong. */
export class ConfigError extends OrmaError {}
/** The database cannot be written. */
export class ReadOnlyError extends OrmaError {}
/** The database is damaged. */
export class CorruptError extends OrmaError {}
/** The database was written by a newer version. */
export class NewerError extends OrmaError {}
/** Another process holds the database. */
export class BusyError extends OrmaError {}
/** Something that is needed does not answer. */
export class UnavailableError extends OrmaError {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, { code: "unavailable", ...options });
  }
}
/** It is not allowed. */
export class DeniedError extends OrmaError {}
/** There is no valid token. */
export class UnauthorizedError extends OrmaError {}
/** It is not to be had here. */
export class UnsupportedError extends OrmaError {}
/** The program `orma` is not on this machine. */
export class BinaryNotFoundError extends OrmaError {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, { code: "no_binary", ...options });
  }
}
/** The server ended during a call. Whether the call was carried out is not known. */
export class ServerDiedError extends UnavailableError {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, { code: "server_died", ...options });
  }
}
/** The server speaks another version of the API, or is none of ours. */
export class VersionMismatchError extends OrmaError {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, { code: "version_mismatch", ...options });
  }
}
/** The memory was closed before the call. */
export class ClosedError extends OrmaError {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, { code: "closed", ...options });
  }
}

const BY_CODE: Record<string, typeof OrmaError> = {
  not_found: NotFoundError,
  invalid: InvalidError,
  too_large: TooLargeError,
  limit: LimitError,
  conflict: ConflictError,
  config: ConfigError,
  read_only: ReadOnlyError,
  corrupt: CorruptError,
  newer: NewerError,
  busy: BusyError,
  unavailable: UnavailableError,
  denied: DeniedError,
  unauthorized: UnauthorizedError,
  unsupported: UnsupportedError,
  version_mismatch: VersionMismatchError,
};

/** Makes the error that stands for a code of the server. */
export function errorOf(code: string, message: string, hint?: string, status?: number): OrmaError {
  if (code === "usage") {
    code = "invalid"; // of the private server's command line, which options become
  }
  return new (BY_CODE[code] ?? OrmaError)(message, { code, hint, status });
}
