import { findOnPath } from '../system/find-on-path.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/**
 * The browser in which tests open the pages of the dashboard: `CHROMIUM`, else the first on PATH.
 * @param log - says what follows where there is none.
 * @returns its path; an empty text without one.
 */
export function findBrowser(log: (line: string) => void): string {
  const found = process.env.CHROMIUM ?? NAMES.map((name) => findOnPath(name)).find((each) => each !== null);
  if (!found) log('Chromium is not installed: the tests in a browser are left out (Debian: apt-get install chromium)');
  return found ?? '';
}
