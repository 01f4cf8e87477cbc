// The list of conversations by its roles and names.
import { expect, type Locator, type Page } from '@playwright/test';

export class SidebarPage {
  readonly page: Page;
  readonly list: Locator;
  readonly search: Locator;

  constructor(page: Page) {
    this.page = page;
    this.list = page.getByRole('navigation', { name: 'Conversations' });
    this.search = page.getByRole('searchbox', { name: 'Search' });
  }

  get links(): Locator {
    return this.list.getByRole('link');
  }
  conversation(title: string): Locator {
    return this.list.getByRole('link', { name: title, exact: true });
  }
  async open(title: string): Promise<void> {
    await this.conversation(title).click();
    await expect(this.conversation(title)).toHaveAttribute('aria-current', 'page');
  }
  /** An act from the conversation's own menu. */
  async act(title: string, name: string): Promise<void> {
    await this.conversation(title).hover();
    await this.list.getByRole('button', { name: `Actions for ${title}` }).click();
    await this.page.getByRole('menuitem', { name }).click();
  }
}
