import { join } from 'node:path';
import axe from 'axe-core';
import { type BrowserContext, type Browser as Chromium, chromium, type Page } from 'playwright-core';

/** What a busy machine may take for one step. */
const STEP_MS = 60_000;
const SCREENS = [
  [390, 844],
  [1280, 860],
  [2560, 1440],
] as const;
/** Answers that a test brings about on purpose, and those of a busy machine, are logged by the browser itself. */
const OF_THE_NETWORK =
  /^Failed to load resource: (?:the server responded with a status of (?:4\d\d|50[34])|net::ERR_INTERNET_DISCONNECTED)/;

/** Rules of axe about landmarks and headings, by which users of screen readers find their way. */
const ORDERLY = ['heading-order', 'region'];
/** What is to be in a landmark: all but the open list of a combo box, to which its field leads, and which the focus never enters. */
const IN_REGIONS = 'body *:not([role=listbox], [role=listbox] *)';

/** A real browser, whose pages keep what they complain about. */
export class WebBrowser {
  readonly complaints: string[] = [];
  private readonly contexts: BrowserContext[] = [];

  private constructor(
    private readonly browser: Chromium,
    private readonly origin: string,
  ) {}

  static async start(origin: string): Promise<WebBrowser> {
    // Containers have no user namespaces for the sandbox; the pages are our own.
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM!,
      args: ['--no-sandbox'],
      timeout: STEP_MS,
    });
    return new WebBrowser(browser, origin);
  }

  /** A page with cookies of its own. */
  async page(width = 1280): Promise<Page> {
    const context = await this.browser.newContext({
      baseURL: this.origin,
      viewport: { width, height: 860 },
      locale: 'en-GB',
      reducedMotion: 'reduce',
    });
    this.contexts.push(context);
    context.setDefaultTimeout(STEP_MS);
    const page = await context.newPage();
    page.on('pageerror', ({ message }) => this.complaints.push(message));
    page.on('dialog', (dialog) => {
      // The browser's own question, when a test goes on from a form that it has filled in.
      if (dialog.type() === 'beforeunload') return void dialog.accept();
      this.complaints.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('console', (message) => {
      if (message.type() === 'error' && !OF_THE_NETWORK.test(message.text())) this.complaints.push(message.text());
    });
    return page;
  }

  /** What axe finds on a page that is serious or worse, or about the order of its parts, in either theme. */
  async faultsOf(page: Page): Promise<string[]> {
    return [...(await this.faultsIn(page, 'light')), ...(await this.faultsIn(page, 'dark'))];
  }

  private async faultsIn(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.locator(`html[data-theme="${theme}"]`).waitFor({ state: 'attached' });
    // Evaluated by the debugger: the page's own policy would not let it in.
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate((selector) => {
      const { axe: own } = globalThis as unknown as {
        axe: Pick<typeof axe, 'configure'> & { run(): Promise<axe.AxeResults> };
      };
      own.configure({ rules: [{ id: 'region', selector }] });
      return own.run();
    }, IN_REGIONS);
    return violations
      .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || ORDERLY.includes(id))
      .map(
        ({ id, nodes }) =>
          `${theme} ${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary}`).join('; ')}`,
      );
  }

  /**
   * Keeps pictures of a page in each theme, on a phone, a laptop and a large screen, in the folder `SCREENSHOTS`; none without it.
   */
  async pictures(page: Page, name: string): Promise<void> {
    const folder = process.env.SCREENSHOTS;
    if (!folder) return;
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      for (const [width, height] of SCREENS) {
        await page.setViewportSize({ width, height });
        await page.screenshot({ path: join(folder, `${name.replaceAll('/', '-')}-${width}-${theme}.png`) });
      }
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  }

  async stop(): Promise<void> {
    for (const context of this.contexts) await context.close();
    await this.browser.close();
  }
}
