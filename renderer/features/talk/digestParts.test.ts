import { expect, it } from 'vitest';
import { type Part, requestInProgress } from '../../../shared/model/message';
import { digestParts } from './digestParts';

const text = (words: string): Part => ({ type: 'text', text: words });

it('C3: what a digest tells and the request carried along are apart; the line between them is for the model alone', () => {
  const parts = [text('Moss is named once.'), text('And twice.'), text(requestInProgress), text('Find *moss*'), text('and ferns')];
  expect(digestParts({ parts })).toEqual({ told: 'Moss is named once.\n\nAnd twice.', request: 'Find *moss*\n\nand ferns' });
  expect(digestParts({ parts: [text('Moss is named once.')] })).toEqual({ told: 'Moss is named once.', request: '' });
});
