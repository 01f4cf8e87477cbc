// Where every procedure starts: the contract, the window's context, and expected failures mapped to answers once.
import { implement, ORPCError } from '@orpc/server';
import { contract } from '../../shared/contract';
import { type Failure, FailureError } from '../../shared/model/failure';
import type { WindowContext } from './context';

export const base = implement(contract)
  .$context<WindowContext>()
  .use(async ({ next }) => {
    try {
      return await next();
    } catch (error) {
      if (error instanceof FailureError) throw failureAnswer(error.failure, error);
      throw error;
    }
  });

function failureAnswer(failure: Failure, cause: unknown): ORPCError<'FAILURE', Failure> {
  return new ORPCError('FAILURE', { status: 422, message: failure.message, data: failure, cause });
}
