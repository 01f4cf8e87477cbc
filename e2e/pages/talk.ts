// The talk and the composer as a person sees them: by the roles and names of the automation page.
import { expect, type Locator, type Page } from '@playwright/test';

export class TalkPage {
  readonly page: Page;
  readonly feed: Locator;
  readonly box: Locator;
  readonly send: Locator;
  readonly stop: Locator;
  readonly composer: Locator;

  constructor(page: Page) {
    this.page = page;
    this.feed = page.getByRole('feed', { name: 'Messages' });
    this.box = page.getByRole('textbox', { name: 'Message', exact: true });
    this.send = page.getByRole('button', { name: 'Send', exact: true });
    this.stop = page.getByRole('button', { name: 'Stop', exact: true });
    this.composer = page.getByRole('region', { name: 'Write a message' });
  }

  /** The nth message of the path, counted from 0; negative from its end. */
  message(at: number): Locator {
    return this.feed.getByRole('article').nth(at);
  }
  get prompts(): Locator {
    return this.feed.getByRole('article', { name: 'You', exact: true });
  }
  get failed(): Locator {
    return this.feed.getByRole('group', { name: 'Failed turn' });
  }
  /** The lines of tool calls, in their order on the path. */
  get calls(): Locator {
    return this.feed.locator('summary');
  }
  /** The call that waits for the person's word. */
  get approval(): Locator {
    return this.page.getByRole('dialog', { name: 'Approve tool' });
  }
  /** Presses a button of the approval; it takes no click in its first moments. */
  async answer(name: 'Allow once' | 'Allow for this conversation' | 'Deny', words = ''): Promise<void> {
    if (words !== '') await this.approval.getByRole('textbox').fill(words);
    await this.approval.getByRole('button', { name, exact: true }).click();
  }
  act(at: number, name: string): Locator {
    return this.message(at).getByRole('button', { name, exact: true });
  }

  async write(text: string): Promise<void> {
    await expect(this.box).toBeEnabled();
    await this.box.fill(text);
  }
  /** Puts megabytes into the box at once; keys, or the browser's own way to insert many lines, would take minutes. */
  async writeLong(text: string): Promise<void> {
    await this.box.evaluate((box, all) => {
      if (!(box instanceof HTMLTextAreaElement)) return;
      box.setRangeText(all, 0, box.value.length, 'end');
      box.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }, text);
  }
  /** Sends without waiting for the answer. */
  async say(text: string): Promise<void> {
    await this.write(text);
    await this.send.click();
    await expect(this.prompts.last()).toContainText(text.slice(0, 40));
  }
  /** Sends and waits until the answer is complete. */
  async ask(text: string): Promise<void> {
    await this.say(text);
    await this.settled();
  }
  /** Nothing is being written any more. */
  async settled(): Promise<void> {
    await expect(this.send).toBeVisible({ timeout: 30_000 });
    await expect(this.feed).toHaveAttribute('aria-busy', 'false');
  }
  async newConversation(): Promise<void> {
    await this.page.getByRole('button', { name: 'New conversation' }).first().click();
    await expect(this.page.getByRole('heading', { name: 'A new conversation' })).toBeVisible();
  }
  async edit(at: number, text: string): Promise<void> {
    await this.act(at, 'Edit').click();
    await this.feed.getByRole('textbox', { name: 'Edit message' }).fill(text);
    await this.feed.getByRole('button', { name: 'Send edit' }).click();
    await expect(this.feed.getByRole('textbox', { name: 'Edit message' })).toHaveCount(0);
  }
}
