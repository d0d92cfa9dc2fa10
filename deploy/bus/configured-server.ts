import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../system/files/temporary-folder.ts';
import { ROOT } from '../system/paths.mjs';
import { freePort, waitUntil } from '../system/processes/ports.ts';
import { findNatsServer } from './nats.ts';

const READY_WITHIN_MS = 60_000;

export interface ConfiguredServerOptions {
  /** The content of /run/secrets/nats_passwords. */
  passwords: string;
  /** The folder of the certificate and its key, where it speaks TLS, as deploy/nats-tls.conf has it. */
  certificates?: string | undefined;
}

export interface ConfiguredServer {
  address: string;
  monitor: string;
  config: string;
  /** Has it read other passwords, as operators do. */
  reload: (passwords: string) => void;
  stop: () => Promise<void>;
}

/** Starts nats-server with deploy/nats.conf itself; only addresses and folders differ. */
export async function startConfiguredServer({
  passwords,
  certificates,
}: ConfiguredServerOptions): Promise<ConfiguredServer> {
  const data = temporaryFolder();
  const [port, monitorPort] = [await freePort(), await freePort()];
  const config = path.join(data.folder, 'nats.conf');
  const text = fs
    .readFileSync(path.join(ROOT, 'deploy/nats.conf'), 'utf8')
    .replace('0.0.0.0:4222', `127.0.0.1:${port}`)
    .replace('127.0.0.1:8222', `127.0.0.1:${monitorPort}`)
    .replace('"/data"', JSON.stringify(data.folder))
    .replace('../../run/secrets/nats_passwords', './passwords');
  fs.writeFileSync(config, text);
  fs.writeFileSync(path.join(data.folder, 'passwords'), passwords);
  const withTls = path.join(data.folder, 'nats-tls.conf');
  if (certificates) {
    const tls = fs.readFileSync(path.join(ROOT, 'deploy/nats-tls.conf'), 'utf8');
    fs.writeFileSync(withTls, tls.replaceAll('/run/secrets', certificates));
  }
  const words = ['--config', certificates ? withTls : config];
  const server = spawn(findNatsServer().command, words, { stdio: 'ignore' });
  const monitor = `http://127.0.0.1:${monitorPort}`;
  const stop = async () => {
    server.kill();
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
    data.remove();
  };
  const reload = (changed: string) => {
    fs.writeFileSync(path.join(data.folder, 'passwords'), changed);
    server.kill('SIGHUP');
  };
  const isHealthy = () =>
    fetch(`${monitor}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  if (await waitUntil(isHealthy, READY_WITHIN_MS, () => server.exitCode !== null))
    return { address: `127.0.0.1:${port}`, monitor, config, reload, stop };
  await stop();
  throw new Error(`nats-server did not start: ${words.join(' ')}`);
}
