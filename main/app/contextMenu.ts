// The menu under the right mouse button in text: cut, copy, paste, spelling, copy link, copy image.
import { Menu, type MenuItemConstructorOptions, type WebContents } from 'electron';
import { editItems, rolesIn } from './menuTemplate';
import type { MenuWords } from './menuWords';

export function installContextMenu(contents: WebContents, copyText: (text: string) => void, wordsNow: () => MenuWords): void {
  contents.on('context-menu', (_event, params) => {
    const words = wordsNow();
    const role = rolesIn(words);
    const items: MenuItemConstructorOptions[] = [];
    const separator: MenuItemConstructorOptions = { type: 'separator' };
    if (params.isEditable) {
      for (const word of params.dictionarySuggestions.slice(0, 5))
        items.push({ label: word, click: () => contents.replaceMisspelling(word) });
      if (params.misspelledWord) {
        items.push(
          { label: words.text.addToDictionary, click: () => contents.session.addWordToSpellCheckerDictionary(params.misspelledWord) },
          separator,
        );
      }
      items.push(...editItems(role));
    } else if (params.selectionText.trim() !== '') {
      items.push(role('copy'));
    }
    if (params.linkURL) items.push({ label: words.text.copyLink, click: () => copyText(params.linkURL) });
    if (params.mediaType === 'image') items.push({ label: words.text.copyImage, click: () => contents.copyImageAt(params.x, params.y) });
    if (items.length > 0) Menu.buildFromTemplate(items).popup();
  });
}
