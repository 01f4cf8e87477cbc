// A failure as it is thrown by what a person asked for.
import { type FailureCode, FailureError, makeFailure } from '../../shared/model/failure';

export function failed(code: FailureCode, message: string): FailureError {
  return new FailureError(makeFailure(code, message));
}
