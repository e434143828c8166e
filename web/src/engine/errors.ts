/** Errors of the engine: each has one sentence for people. */
export class EngineError extends Error {
  override readonly name: string = 'EngineError';
}

/** The engine cannot be loaded: the browser is too `old`, or the files are damaged or of different builds (`mixed`). */
export class LoadError extends EngineError {
  override readonly name = 'LoadError';
  constructor(
    message: string,
    readonly code: 'old' | 'mixed',
  ) {
    super(message);
  }
}

/** Text that is no position, or a position that cannot be. */
export class NotationError extends EngineError {
  override readonly name = 'NotationError';
  /** `fault` is the kernel's name of what is wrong with a position, or empty where the text is. */
  constructor(
    message: string,
    readonly fault = '',
  ) {
    super(message);
  }
}

/** Rules of a record's own that this page does not know. `tag` is the record's tag `Variant`. */
export class UnknownVariant extends NotationError {
  constructor(readonly tag: string) {
    super('the record has rules of its own, which this page does not know');
  }
}

/** A deal whose commitment has an older form proves nothing: it does not name the computers' chairs. */
export class OlderPromise extends EngineError {
  override readonly name = 'OlderPromise';
}

/** Throw what is wrong with a text. */
export const fail = (text: string, fault?: string): never => {
  throw new NotationError(text, fault);
};

/** A move that is not legal now; `code` says why. */
export class IllegalMove extends EngineError {
  override readonly name = 'IllegalMove';
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}
