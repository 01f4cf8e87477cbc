// The window's title: what is open, in which workspace; the system's window list shows it.
import { useEffect } from 'react';
import { usePanel, useWorkspace } from '../../state/appSlice';
import { useOpenConversation } from '../../state/talkSlice';

export function useWindowTitle(): void {
  const workspace = useWorkspace()?.name;
  const conversation = useOpenConversation()?.title;
  const first = usePanel() === 'onboarding';
  useEffect(() => {
    document.title = first ? 'Bough' : [conversation, workspace, 'Bough'].filter(Boolean).join(' – ');
  }, [conversation, workspace, first]);
}
