// The system keychain behind one small face: Electron's newer asynchronous calls where they exist, the older ones elsewhere.
// It is asked only when a key is stored or used, never at start: on Linux the question alone may open a dialog.
import { safeStorage } from 'electron';
import type { Keychain } from '../user/secrets';

export function systemKeychain(): Keychain {
  return {
    available: async () => {
      if (typeof safeStorage.getSelectedStorageBackend === 'function' && process.platform === 'linux') {
        if (safeStorage.getSelectedStorageBackend() === 'basic_text') return false;
      }
      if (typeof safeStorage.isAsyncEncryptionAvailable === 'function') return safeStorage.isAsyncEncryptionAvailable();
      return safeStorage.isEncryptionAvailable();
    },
    encrypt: async (text) => {
      const encrypted =
        typeof safeStorage.encryptStringAsync === 'function' ? await safeStorage.encryptStringAsync(text) : safeStorage.encryptString(text);
      return encrypted.toString('base64');
    },
    decrypt: async (base64) => {
      const bytes = Buffer.from(base64, 'base64');
      if (typeof safeStorage.decryptStringAsync === 'function') return (await safeStorage.decryptStringAsync(bytes)).result;
      return safeStorage.decryptString(bytes);
    },
  };
}
