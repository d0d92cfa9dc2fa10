import type { ProxyOptions } from 'vite';

/** Where `npm start` answers. */
const TARGET = process.env.SWIM_ORIGIN ?? 'http://127.0.0.1:8080';

/**
 * What the development server passes on to the running product. Requests keep their cookie, and get the origin that the gateway
 * expects of its own page.
 */
export function demoProxy(): Record<string, ProxyOptions> {
  const options: ProxyOptions = { target: TARGET, changeOrigin: true, headers: { origin: TARGET } };
  return { '/v1': options, '/dashboard/api': options };
}
