// What is done on the map: which node has the focus, which is looked at, and what pointer and keys do to them.
import { type KeyboardEvent, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import type { MapNode, OutlineMap } from '../../../../shared/tree/outlineMap';
import { labelTurn } from '../../../state/outlineSlice';
import { actKeys, pressedKey } from '../TurnMenu';
import { usePreview } from '../usePreview';
import { useTurnActs } from '../useTurnActs';
import { stepTo } from './mapKeys';
import { type Point, placeOf } from './mapSpace';
import { useMapPointer } from './useMapPointer';
import type { useMapView, Zoom } from './useMapView';

export const mapNodeId = (key: string) => `map-node-${key}`;
const zoomKeys: Readonly<Record<string, Zoom>> = { '+': 'in', '=': 'in', '-': 'out', '0': 'one' };

export function useMapActs(map: OutlineMap, view: ReturnType<typeof useMapView>, scroller: HTMLDivElement | null) {
  const focus = useFocusedNode(map, view);
  const [hovered, setHovered] = useState(-1);
  const [menu, setMenu] = useState<{ row: MapNode; at: Point } | null>(null);
  const { preview, show, hide } = usePreview();
  const turnActs = useTurnActs();
  const lookAt = (at: number) => {
    const node = map.nodes[at];
    if (node && scroller) show(node.turn, besideOf(scroller, placeOf(view.space, node).y));
    else hide();
  };
  const pointer = useMapPointer({
    map,
    space: view.space,
    scroller,
    hover: (at) => {
      if (at === hovered) return;
      setHovered(at);
      lookAt(at);
    },
    click: (at) => {
      focus.move(at);
      const node = map.nodes[at];
      if (node) turnActs.act('go', node);
    },
    menu: (at, point) => {
      hide();
      focus.move(at);
      const row = map.nodes[at];
      if (row) setMenu({ row, at: point });
    },
  });
  const answer = (key: string): boolean => {
    const node = map.nodes[focus.active];
    const to = stepTo(key, map, focus.active);
    const turnAct = key === 'Enter' || key === ' ' ? 'go' : actKeys[key.toLowerCase()];
    const zoom = zoomKeys[key];
    if (to !== null) {
      focus.move(to);
      lookAt(to);
    } else if (zoom) view.zoom(zoom);
    else if (turnAct && node) turnActs.act(turnAct, node);
    else if (key === 'Escape' && preview) hide();
    else return false;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement) || !event.target.dataset.node) return;
    if (answer(pressedKey(event))) event.preventDefault();
  };
  return {
    active: focus.active,
    hovered,
    preview,
    hide,
    turnActs,
    menu,
    closeMenu: () => setMenu(null),
    handlers: { ...pointer, onKeyDown, onBlur: hide },
    onFocus: focus.note,
    /** Null leaves the label as it was. */
    onLabel: (at: number, label: string | null) => {
      turnActs.setLabelling(null);
      const node = map.nodes[at];
      if (label === null || !node) return;
      void labelTurn(node.turn, label);
      focus.move(at);
    },
  };
}

function useFocusedNode(map: OutlineMap, view: Pick<ReturnType<typeof useMapView>, 'show'>) {
  const [key, setKey] = useState<string | null>(null);
  const places = useMemo(() => new Map(map.nodes.map((node, at) => [node.key, at])), [map]);
  return {
    active: places.get(key ?? '') ?? Math.max(0, map.tip),
    note: (at: number) => setKey(map.nodes[at]?.key ?? null),
    move: (at: number) => {
      const node = map.nodes[at];
      if (!node) return;
      // It is in the page, and has the focus, before the next key, which is meant for it.
      flushSync(() => setKey(node.key));
      view.show(at);
      document.getElementById(mapNodeId(node.key))?.focus({ preventScroll: true });
    },
  };
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
