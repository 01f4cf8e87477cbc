// The floors that need a page: a virtual list of plain text rows, and a click that puts twelve plain texts on screen.
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { seeded } from '../../../scripts/bench/data/random';
import { makeTexts } from '../../../scripts/bench/data/texts';

declare global {
  interface Window {
    /** Sets the number of rows of the list. */
    setRows?: (count: number) => void;
  }
}

const texts = makeTexts(seeded(5));
/** Enough that no two rows in sight are alike; the texts themselves are in memory. */
const stock = Array.from({ length: 2_000 }, (_, at) => (at % 2 === 0 ? texts.prompt() : texts.answer()));

function List({ count }: { count: number }) {
  const view = useRef<HTMLDivElement>(null);
  const list = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count,
    getScrollElement: () => view.current,
    estimateSize: () => 160,
    overscan: 3,
    rangeExtractor: defaultRangeExtractor,
  });
  return (
    <div id="view" ref={view}>
      <div style={{ position: 'relative', height: list.getTotalSize() }}>
        {list.getVirtualItems().map((item) => (
          <div
            key={item.key}
            ref={list.measureElement}
            data-index={item.index}
            className="row"
            style={{ transform: `translateY(${item.start}px)` }}
          >
            {stock[item.index % stock.length]}
          </div>
        ))}
      </div>
    </div>
  );
}

function Page() {
  const [count, setCount] = useState(100_000);
  window.setRows = setCount;
  return <List key={count} count={count} />;
}

let turn = 0;
document.querySelector('#switch')?.addEventListener('click', () => {
  const box = document.createElement('div');
  box.setAttribute('role', 'feed');
  for (let row = 0; row < 12; row++) {
    const item = document.createElement('div');
    item.dataset.index = String(row);
    item.textContent = stock[(turn * 12 + row) % stock.length] ?? '';
    box.append(item);
  }
  turn++;
  document.querySelector('[role=feed]')?.remove();
  document.body.append(box);
});
const root = document.getElementById('root');
if (root) createRoot(root).render(<Page />);
