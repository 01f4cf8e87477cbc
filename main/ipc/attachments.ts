// Files a person attaches: dropped, picked or pasted.
import { basename } from 'node:path';
import type { Attachment } from '../../shared/model/draft';
import { type Failure, FailureError } from '../../shared/model/failure';
import { addBytes, addPath } from '../attachments/intake';
import { base } from './base';
import type { WindowContext } from './context';

const depsOf = ({ workspace, readPdf, checkPicture }: WindowContext) => ({ blobs: workspace().write().blobs, readPdf, checkPicture });

export const attachments = {
  addPath: base.attachments.addPath.handler(({ input, context }) => addPath(depsOf(context), input.path)),
  addBytes: base.attachments.addBytes.handler(async ({ input, context }) =>
    addBytes(depsOf(context), { name: input.name, bytes: new Uint8Array(await input.bytes.arrayBuffer()) }),
  ),
  choose: base.attachments.choose.handler(async ({ context }) => {
    const added: Attachment[] = [];
    const refused: { name: string; failure: Failure }[] = [];
    for (const path of await context.desktop.chooseFiles()) {
      try {
        added.push(await addPath(depsOf(context), path));
      } catch (error) {
        if (!(error instanceof FailureError)) throw error;
        refused.push({ name: basename(path), failure: error.failure });
      }
    }
    return { added, refused };
  }),
  text: base.attachments.text.handler(async ({ input, context }) => {
    const bytes = await context.workspace().read().blobs.read(input.hash);
    return { text: new TextDecoder().decode(bytes) };
  }),
};
