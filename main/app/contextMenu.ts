// The menu under the right mouse button in text: cut, copy, paste, spelling, copy link, copy image.
import { Menu, type MenuItemConstructorOptions, type WebContents } from 'electron';
import words from '../../assets/locales/en/contextMenu.json';

export function installContextMenu(contents: WebContents, copyText: (text: string) => void): void {
  contents.on('context-menu', (_event, params) => {
    const items: MenuItemConstructorOptions[] = [];
    const separator: MenuItemConstructorOptions = { type: 'separator' };
    if (params.isEditable) {
      for (const word of params.dictionarySuggestions.slice(0, 5))
        items.push({ label: word, click: () => contents.replaceMisspelling(word) });
      if (params.misspelledWord) {
        items.push(
          { label: words.addToDictionary, click: () => contents.session.addWordToSpellCheckerDictionary(params.misspelledWord) },
          separator,
        );
      }
      items.push(
        { role: 'undo' },
        { role: 'redo' },
        separator,
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'pasteAndMatchStyle' },
        { role: 'selectAll' },
      );
    } else if (params.selectionText.trim() !== '') {
      items.push({ role: 'copy' });
    }
    if (params.linkURL) items.push({ label: words.copyLink, click: () => copyText(params.linkURL) });
    if (params.mediaType === 'image') items.push({ label: words.copyImage, click: () => contents.copyImageAt(params.x, params.y) });
    if (items.length > 0) Menu.buildFromTemplate(items).popup();
  });
}
