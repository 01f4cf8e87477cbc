// The map (U5): the whole tree drawn on a canvas as large as the view, with what has the focus over it.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConversationId } from '../../../../shared/model/ids';
import type { MapNode, OutlineMap } from '../../../../shared/tree/outlineMap';
import { cx } from '../../../ui/cx';
import { formatNumber } from '../../../ui/format';
import { PreviewCard } from '../PreviewCard';
import { turnText, type Words } from '../rowWords';
import { TurnMenu } from '../TurnMenu';
import { useFollowTip } from '../useFollowTip';
import { useWantedFocus } from '../useWantedFocus';
import styles from './Map.module.css';
import { MapNodes } from './MapNodes';
import { mapNodeId, useMapActs } from './useMapActs';
import { useMapCanvas } from './useMapCanvas';
import { useMapView } from './useMapView';
import { ZoomBar } from './ZoomBar';

/** `found`: what a search found, by key; null while nothing is searched for. */
type MapTreeProps = { map: OutlineMap; conversationId: ConversationId | null; found: ReadonlySet<string> | null; words: Words };

export function MapTree({ map, conversationId, found, words }: MapTreeProps) {
  const { t } = useTranslation('navigator');
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  const view = useMapView(map, scroller, conversationId);
  const acts = useMapActs(map, view, scroller);
  useFollowTip(map.nodes[map.tip]?.key, map.tip, view, view.view.height > 0 ? scroller : null);
  useWantedFocus(scroller);
  const { space, view: size } = view;
  const { hovered, menu, turnActs } = acts;
  const text = (node: MapNode) => turnText(node.turn, words);
  const count = (hidden: number) => formatNumber(hidden, words.language);
  useMapCanvas(canvas, scroller, { map, space, view: size, hovered, found, text, count });
  return (
    <div className={styles.map}>
      <div ref={setScroller} className={styles.scroller} onScroll={acts.hide}>
        <div className={styles.world} style={{ width: space.width, height: space.height }}>
          {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas takes no focus by itself */}
          <canvas ref={setCanvas} aria-hidden="true" className={styles.canvas} style={{ width: size.width, height: size.height }} />
          <div role="tree" aria-label={t('map.tree')} className={cx(styles.ground, hovered >= 0 && styles.hit)} {...acts.handlers}>
            <MapNodes
              map={map}
              space={space}
              active={acts.active}
              labelling={turnActs.labelling}
              words={words}
              onFocus={acts.onFocus}
              onLabel={acts.onLabel}
            />
          </div>
        </div>
      </div>
      <ZoomBar space={space} onZoom={view.zoom} />
      {menu ? (
        <TurnMenu
          place={menu}
          name={text(menu.row)}
          onAct={turnActs.act}
          onClose={acts.closeMenu}
          returnFocus={() => document.getElementById(mapNodeId(menu.row.key))?.focus()}
        />
      ) : null}
      {acts.preview ? <PreviewCard preview={acts.preview} words={words} /> : null}
    </div>
  );
}
