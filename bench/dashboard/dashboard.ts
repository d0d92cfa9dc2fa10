import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { resolveBrowser } from '../../deploy/local/resolve-browser.ts';
import { cacheFolder } from '../../deploy/system/folders.ts';
import { accepts, freePort } from '../../deploy/system/ports.ts';
import { runCommand } from '../../deploy/system/run-command.mjs';
import type { Run } from '../booking/stack.ts';
import { spreadOf } from '../measuring/statistics.ts';

const VERSION = '13.5.0';
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
const PAGES = ['sign-in', 'sandbox/developers/keys', 'sandbox/calendar'];
const PROFILES = { desktop: { performance: 95 }, mobile: { performance: 85 } } as const;
const FLAGS = { logLevel: 'error', onlyCategories: [...CATEGORIES], disableStorageReset: true };
type Profile = keyof typeof PROFILES;

interface Audited {
  readonly scores: Record<(typeof CATEGORIES)[number], number>;
  /** Ids of the audits of accessibility and best practices that failed. */
  readonly failed: readonly string[];
}

interface LighthouseResult {
  readonly finalDisplayedUrl: string;
  readonly categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  readonly audits: Record<string, { score: number | null }>;
}

type Lighthouse = (url: string, flags: object, config?: object) => Promise<{ lhr: LighthouseResult } | undefined>;

/**
 * Audits pages of the dashboard with Lighthouse, on both of its profiles, and reports the median scores of several passes.
 * Lighthouse is installed from npm into the cache folder when it is first used.
 * @returns the scores, for a person.
 * @throws without a browser.
 */
export async function dashboard(run: Run): Promise<string> {
  const executablePath = await resolveBrowser({ download: true, log: run.log });
  if (!executablePath) throw new Error('Lighthouse needs Chromium.');
  const { lighthouse, configs } = await loadLighthouse(run.log);
  const { sign_in_links: links } = await (await run.stack()).demo();
  const origin = new URL(links.school).origin;
  const port = await freePort();
  await run.supervisor.launch({
    name: 'browser',
    command: executablePath,
    args: [
      ...['--headless', '--no-sandbox', '--disable-gpu', 'about:blank'],
      ...[`--remote-debugging-port=${port}`, `--user-data-dir=${path.join(run.folder, 'browser')}`],
    ],
    isReady: () => accepts(port),
  });
  try {
    const cookie = await signIn(origin, links.school);
    const lines = [`Lighthouse ${VERSION}, medians of ${passesOf(run)}, load ${os.loadavg()[0]!.toFixed(1)}`];
    for (const profile of Object.keys(PROFILES) as Profile[]) {
      for (const page of PAGES) {
        const flags = { port, ...(page === 'sign-in' ? {} : { extraHeaders: { Cookie: cookie } }) };
        const url = `${origin}/dashboard/${page}`;
        const passes: Audited[] = [];
        while (passes.length < passesOf(run))
          passes.push(auditedOf(url, await lighthouse(url, { ...FLAGS, ...flags }, configs[profile])));
        lines.push(describe(profile, page, passes));
      }
    }
    return lines.join('\n');
  } finally {
    await run.supervisor.stop(['browser']);
  }
}

const passesOf = ({ isShort }: Run) => (isShort ? 1 : 5);

async function loadLighthouse(log: (line: string) => void) {
  const folder = path.join(cacheFolder(), `lighthouse-${VERSION}`);
  const { resolve } = createRequire(path.join(folder, 'x.js'));
  const load = async (name: string) => (await import(pathToFileURL(resolve(name)).href)).default;
  const all = async () => ({
    lighthouse: (await load('lighthouse')) as Lighthouse,
    configs: { desktop: (await load('lighthouse/core/config/desktop-config.js')) as object, mobile: undefined },
  });
  return all().catch(async () => {
    log(`dashboard: installing Lighthouse ${VERSION} into ${folder} …`);
    const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
    await runCommand('npm', ['install', '--prefix', folder, ...options, `lighthouse@${VERSION}`]);
    return all();
  });
}

/** Signs in by a one-time link, as its page does, and returns the cookie. */
async function signIn(origin: string, link: string): Promise<string> {
  const token = new URL(link).hash.replace('#token=', '');
  const headers = { 'content-type': 'application/json', 'swim-dashboard': '1', origin };
  const answer = await fetch(`${origin}/dashboard/api/sign-in/link`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ token }),
  });
  if (!answer.ok) throw new Error(`The link of the demo does not sign in: ${answer.status}`);
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
}

function auditedOf(url: string, result: Awaited<ReturnType<Lighthouse>>): Audited {
  if (!result) throw new Error('Lighthouse has no result.');
  const { finalDisplayedUrl: shown, categories, audits } = result.lhr;
  // Without a session the page would lead to the one to sign in.
  if (shown !== url) throw new Error(`Lighthouse audited ${shown} instead of ${url}.`);
  const scores = Object.fromEntries(
    CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)]),
  ) as Audited['scores'];
  const failed = CATEGORIES.slice(1).flatMap((name) =>
    categories[name]!.auditRefs.filter(({ id, weight }) => weight > 0 && audits[id]?.score === 0).map(({ id }) => id),
  );
  return { scores, failed };
}

function describe(profile: Profile, page: string, passes: readonly Audited[]): string {
  const [performance, accessibility, practices] = CATEGORIES.map(
    (name) => spreadOf(passes.map(({ scores }) => scores[name])).median,
  ) as [number, number, number];
  const target = PROFILES[profile].performance;
  const isMet = performance >= target && accessibility === 100 && practices === 100;
  const failed = [...new Set(passes.flatMap((each) => each.failed))];
  const figures = `performance ${performance}, accessibility ${accessibility}, best practices ${practices}`;
  const targets = `targets ${target}, 100, 100: ${isMet ? 'met' : 'missed'}`;
  const causes = failed.length > 0 ? ` (${failed.join(', ')})` : '';
  return `  ${profile.padEnd(8)} ${page.padEnd(24)} ${figures}; ${targets}${causes}`;
}
