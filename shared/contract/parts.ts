// What the areas of the contract are written with.
import * as z from 'zod/mini';
import { conversationId, messageId } from '../model/ids';

/** An output: typed, not checked at run time. */
export const out = <T>() => z.custom<T>();
export const nothing = z.void();
export const conversation = z.object({ conversationId });
export const message = z.object({ conversationId, messageId });
export const longText = z.string().check(z.maxLength(20_000_000));
