// The sign at the beginning of a call's line: which tool, or that it needs the user, failed or was not run.
import {
  Ban,
  BookOpenText,
  CircleAlert,
  CircleX,
  FileText,
  Flag,
  FolderTree,
  Globe,
  Hand,
  Image,
  ListChecks,
  type LucideIcon,
  PencilLine,
  Search,
  SquareTerminal,
  Undo2,
  Wrench,
} from 'lucide-react';
import { type CallStatus, type KnownTool, knownTool } from './callLook';
import styles from './calls.module.css';

const icons: Record<KnownTool, LucideIcon> = {
  read_file: FileText,
  list_files: FolderTree,
  search_files: Search,
  write_file: PencilLine,
  edit_file: PencilLine,
  run_command: SquareTerminal,
  view_image: Image,
  fetch_url: Globe,
  checkpoint: Flag,
  rewind: Undo2,
  recall: BookOpenText,
  tasks: ListChecks,
};
const signs: Partial<Record<CallStatus, LucideIcon>> = {
  needsYou: Hand,
  failed: CircleAlert,
  denied: Ban,
  refused: Ban,
  cancelled: CircleX,
};

export function CallIcon({ name, status }: { name: string; status: CallStatus }) {
  const tool = knownTool(name);
  const Icon = signs[status] ?? (tool ? icons[tool] : Wrench);
  return (
    <span className={styles.icon}>
      <Icon aria-hidden="true" />
    </span>
  );
}
