import { isPortFree } from '../../system/processes/ports.ts';

/**
 * @param text - the value of PORT.
 * @returns 8080 when it is not set.
 * @throws when it is no port number.
 */
export function readPort(text?: string): number {
  const port = text === undefined || text === '' ? 8080 : Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new Error(`PORT must be a whole number from 1 to 65535, it is "${text}"`);
}

/** @throws when another process listens on the port, or this user may not. */
export async function checkPort(port: number) {
  if (await isPortFree(port)) return;
  throw new Error(
    `Port ${port} is taken by another program, or this user may not open it. Choose another: PORT=8090 npm start`,
  );
}
