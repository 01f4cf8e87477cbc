// Where the program's own files are, from the user-data folder down.
import { join } from 'node:path';

export type Paths = {
  userData: string;
  settings: string;
  secrets: string;
  approvals: string;
  limits: string;
  windowState: string;
  recent: string;
  log: string;
  defaultWorkspace: string;
};

export function pathsOf(userData: string, documents: string): Paths {
  return {
    userData,
    settings: join(userData, 'settings.json'),
    secrets: join(userData, 'secrets.json'),
    approvals: join(userData, 'approvals.json'),
    limits: join(userData, 'limits.json'),
    windowState: join(userData, 'window.json'),
    recent: join(userData, 'recent.json'),
    log: join(userData, 'logs', 'bough.log'),
    defaultWorkspace: join(documents, 'Bough'),
  };
}
