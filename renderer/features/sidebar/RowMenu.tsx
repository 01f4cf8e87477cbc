// What can be done with a conversation from the list.
import { Archive, ArchiveRestore, FileOutput, PencilLine, Pin, PinOff, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Conversation } from '../../../shared/model/conversation';
import type { ConversationId } from '../../../shared/model/ids';
import { archiveConversation, pinConversation } from '../../state/conversationsSlice';
import { askToExport } from '../../state/exportSlice';
import { askToDelete } from '../../state/trashSlice';
import { MenuAt, type MenuItem } from '../../ui/Menu';

export type RowMenuPlace = { conversation: Conversation; at: { x: number; y: number }; opener: HTMLElement | null };

type RowMenuProps = { place: RowMenuPlace; onClose(): void; onRename(id: ConversationId): void };

export function RowMenu({ place: { conversation, at, opener }, onClose, onRename }: RowMenuProps) {
  const { t } = useTranslation('sidebar');
  const renames = useRef(false);
  const { id, pinned, archived } = conversation;
  const items: MenuItem[] = [
    {
      id: 'rename',
      label: t('menu.rename'),
      icon: <PencilLine aria-hidden="true" />,
      keys: 'F2',
      onSelect: () => {
        renames.current = true;
      },
    },
    {
      id: 'pin',
      label: t(pinned ? 'menu.unpin' : 'menu.pin'),
      icon: pinned ? <PinOff aria-hidden="true" /> : <Pin aria-hidden="true" />,
      onSelect: () => void pinConversation(id, !pinned),
    },
    {
      id: 'archive',
      label: t(archived ? 'menu.unarchive' : 'menu.archive'),
      icon: archived ? <ArchiveRestore aria-hidden="true" /> : <Archive aria-hidden="true" />,
      onSelect: () => void archiveConversation(id, !archived),
    },
    {
      id: 'export',
      label: t('transfer:button'),
      icon: <FileOutput aria-hidden="true" />,
      onSelect: () => askToExport({ conversationId: id, messageId: null }),
    },
    { kind: 'line', id: 'line' },
    {
      id: 'delete',
      label: t('menu.delete'),
      icon: <Trash2 aria-hidden="true" />,
      danger: true,
      onSelect: () => askToDelete({ conversationId: id, messageId: null }),
    },
  ];
  return (
    <MenuAt
      label={t('menu.label', { title: conversation.title || t('untitled') })}
      at={at}
      items={items}
      onClose={onClose}
      returnFocus={() => {
        if (renames.current) onRename(id);
        else opener?.focus();
      }}
    />
  );
}
