// The map (U5): the whole tree drawn on a canvas as large as the view, with what has the focus over it.
import { type KeyboardEvent, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { MapNode, OutlineMap } from '../../../../shared/tree/outlineMap';
import { labelTurn } from '../../../state/outlineSlice';
import { formatNumber } from '../../../ui/format';
import { PreviewCard } from '../PreviewCard';
import { turnText, type Words } from '../rowWords';
import { deedKeys, pressedKey, TurnMenu } from '../TurnMenu';
import { useFollowTip } from '../useFollowTip';
import { usePreview } from '../usePreview';
import { useRowDeeds } from '../useRowDeeds';
import { useWantedFocus } from '../useWantedFocus';
import styles from './Map.module.css';
import { MapNodes, mapNodeId } from './MapNodes';
import { stepTo } from './mapKeys';
import { type Point, placeOf } from './mapSpace';
import { useMapCanvas } from './useMapCanvas';
import { useMapPointer } from './useMapPointer';
import { useMapView, type Zoom } from './useMapView';
import { ZoomBar } from './ZoomBar';

type MapTreeProps = { map: OutlineMap; found: ReadonlySet<string> | null; words: Words };
const zoomKeys: Readonly<Record<string, Zoom>> = { '+': 'in', '=': 'in', '-': 'out', '0': 'one' };

export function MapTree({ map, found, words }: MapTreeProps) {
  const { t } = useTranslation('navigator');
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  const [activeKey, setActive] = useState<string | null>(null);
  const [hovered, setHovered] = useState(-1);
  const [menu, setMenu] = useState<{ row: MapNode; at: Point } | null>(null);
  const places = useMemo(() => new Map(map.nodes.map(({ key }, at) => [key, at])), [map]);
  const active = places.get(activeKey ?? '') ?? Math.max(0, map.tip);
  const view = useMapView(map, scroller);
  const { preview, show, hide } = usePreview();
  const deeds = useRowDeeds();
  useFollowTip(map.nodes[map.tip]?.key, map.tip, view, view.view.height > 0 ? scroller : null);
  useWantedFocus(scroller);
  const text = (node: MapNode) => turnText(node.turn, words);
  useMapCanvas(canvas, scroller, {
    map,
    space: view.space,
    view: view.view,
    hovered,
    found,
    text,
    count: (hidden) => formatNumber(hidden, words.language),
  });

  const focusNode = (at: number) => {
    const node = map.nodes[at];
    if (!node) return;
    // It is in the page, and has the focus, before the next key, which is meant for it.
    flushSync(() => setActive(node.key));
    view.show(at);
    document.getElementById(mapNodeId(node.key))?.focus({ preventScroll: true });
  };
  const lookAt = (at: number) => {
    const node = map.nodes[at];
    if (node && scroller) show(node.turn, besideOf(scroller, placeOf(view.space, node).y));
    else hide();
  };
  const hover = (at: number) => {
    if (at === hovered) return;
    setHovered(at);
    lookAt(at);
  };
  const pointer = useMapPointer({
    map,
    space: view.space,
    scroller,
    hover,
    click: (at) => {
      const node = map.nodes[at];
      focusNode(at);
      if (node) deeds.act('go', node);
    },
    menu: (at, point) => {
      const row = map.nodes[at];
      hide();
      focusNode(at);
      if (row) setMenu({ row, at: point });
    },
  });
  const answer = (key: string): boolean => {
    const node = map.nodes[active];
    const to = stepTo(key, map, active);
    const deed = key === 'Enter' || key === ' ' ? 'go' : deedKeys[key.toLowerCase()];
    const zoom = zoomKeys[key];
    if (to !== null) focusNode(to);
    else if (zoom) view.zoom(zoom);
    else if (deed && node) deeds.act(deed, node);
    else if (key === 'Escape' && preview) hide();
    else return false;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement) || !event.target.dataset.node) return;
    if (answer(pressedKey(event))) event.preventDefault();
  };
  return (
    <div className={styles.map}>
      <div ref={setScroller} className={styles.scroller} onScroll={hide}>
        <div className={styles.world} style={{ width: view.space.width, height: view.space.height }}>
          {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas takes no focus by itself */}
          <canvas
            ref={setCanvas}
            aria-hidden="true"
            className={styles.canvas}
            style={{ width: view.view.width, height: view.view.height }}
          />
          <div
            role="tree"
            aria-label={t('map.tree')}
            className={hovered >= 0 ? styles.hit : styles.ground}
            onKeyDown={onKeyDown}
            onBlur={hide}
            {...pointer}
          >
            <MapNodes
              map={map}
              space={view.space}
              active={active}
              labelling={deeds.labelling}
              words={words}
              onFocus={(at) => {
                setActive(map.nodes[at]?.key ?? null);
                if (document.activeElement?.matches(':focus-visible')) lookAt(at);
              }}
              onLabel={(at, label) => {
                deeds.setLabelling(null);
                const node = map.nodes[at];
                if (label === null || !node) return;
                void labelTurn(node.turn, label);
                focusNode(at);
              }}
            />
          </div>
        </div>
      </div>
      <ZoomBar space={view.space} onZoom={view.zoom} />
      {menu ? (
        <TurnMenu
          place={menu}
          name={text(menu.row)}
          onDeed={deeds.act}
          onClose={() => setMenu(null)}
          returnFocus={() => document.getElementById(mapNodeId(menu.row.key))?.focus()}
        />
      ) : null}
      {preview ? <PreviewCard preview={preview} words={words} /> : null}
    </div>
  );
}

/** The row of the panel in which a node stands: the card comes beside the panel, not over the map. */
const besideOf = (scroller: HTMLElement, y: number) => ({
  get isConnected() {
    return scroller.isConnected;
  },
  getBoundingClientRect: () => {
    const box = scroller.getBoundingClientRect();
    return new DOMRect(box.left, box.top + y - scroller.scrollTop - 14, box.width, 28);
  },
});
