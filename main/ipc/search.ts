// Search over all messages (Q1), and find in the open conversation.
import { base } from './base';

export const search = {
  messages: base.search.messages.handler(({ input, context, signal }) => context.workspace().search().messages(input, signal)),
  onPath: base.search.onPath.handler(({ input, context, signal }) => context.workspace().search().onPath(input, signal)),
};
