// The settings dialog by its roles and names.
import { expect, type Locator, type Page } from '@playwright/test';

export class SettingsPage {
  readonly page: Page;
  readonly dialog: Locator;

  constructor(page: Page) {
    this.page = page;
    this.dialog = page.getByRole('dialog', { name: 'Settings' });
  }

  async open(section: string): Promise<void> {
    if (!(await this.dialog.isVisible())) await this.page.getByRole('button', { name: 'Settings', exact: true }).first().click();
    await this.dialog.getByRole('tab', { name: section }).click();
    await expect(this.dialog.getByRole('tabpanel', { name: section })).toBeVisible();
  }
  async close(): Promise<void> {
    await this.dialog.getByRole('button', { name: 'Close settings' }).click();
    await expect(this.dialog).toHaveCount(0);
  }
  /** A choice from a list that opens from a button. */
  async choose(label: string, option: string): Promise<void> {
    await this.dialog.getByRole('combobox', { name: label }).click();
    await this.page.getByRole('option', { name: option, exact: true }).click();
  }
}
