// Turns errors of the file system into failures with a code; anything else is a bug and stays what it was.
import { type Failure, FailureError, makeFailure } from '../../shared/model/failure';

/** The `code` of a Node system error (`ENOENT`, `EROFS` …), if it is one. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The failure behind a file-system error, or undefined when it is not an expected one. `path` is shown to the user. */
export function fileFailure(error: unknown, path: string): Failure | undefined {
  if (error instanceof FailureError) return error.failure;
  const detail = { path };
  switch (systemCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return makeFailure('diskFull', `There is no space left for ${path}.`, { retryable: true, detail });
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return makeFailure('workspaceReadOnly', `${path} cannot be written.`, { retryable: true, detail });
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ENODEV':
    case 'ESTALE':
      return makeFailure('workspaceGone', `${path} cannot be found.`, { retryable: true, detail });
    default:
      return undefined;
  }
}

/** Rethrows a file-system error as a `FailureError` where it is an expected one. */
export function throwFileFailure(error: unknown, path: string): never {
  const failure = fileFailure(error, path);
  if (failure === undefined) throw error;
  throw error instanceof FailureError ? error : new FailureError(failure, { cause: error });
}
