import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Deployment } from '../deployment.ts';
import { lookUntil } from '../look-until.ts';

const MOUNTED = '/run/secrets/';

/** A setting of a process whose value stands in a file of the folder `secrets`. */
export interface SecretSetting {
  process: string;
  setting: string;
  /** Its name in `secrets`. */
  file: string;
}

/** Every secret setting of every process, as the compose files have them. */
export async function secretSettings({ folder, docker }: Deployment): Promise<SecretSetting[]> {
  const { services } = JSON.parse(await docker('compose', 'config', '--format', 'json')) as {
    services: Record<string, { environment?: Record<string, string> }>;
  };
  return Object.entries(services).flatMap(([process, { environment = {} }]) =>
    Object.entries(environment)
      .filter(([name, value]) => process !== 'mongo' && name.endsWith('_FILE') && value.startsWith(MOUNTED))
      .map(([name, value]) => ({ process, setting: name.slice(0, -5), file: fileOf(folder, process, value) })),
  );
}

function fileOf(folder: string, process: string, value: string) {
  const name = value.slice(MOUNTED.length);
  return fs.existsSync(path.join(folder, 'secrets', `${name}_${process}`)) ? `${name}_${process}` : name;
}

export const newKey = () => crypto.randomBytes(32).toString('base64');
export const newPassword = () => crypto.randomBytes(24).toString('hex');

/** The files of the folder `secrets`, and all that they ever held. */
export class SecretFiles {
  readonly values = new Set<string>();
  readonly #deployment: Deployment;

  constructor(deployment: Deployment) {
    this.#deployment = deployment;
    for (const file of fs.readdirSync(this.#folder)) this.#remember(file);
  }

  get #folder() {
    return path.join(this.#deployment.folder, 'secrets');
  }

  read = (file: string) => fs.readFileSync(path.join(this.#folder, file), 'utf8').trim();

  /** Replaces a file, as `mv` does. */
  write(file: string, text: string) {
    const to = path.join(this.#folder, file);
    fs.writeFileSync(`${to}.new`, `${text}\n`);
    fs.chmodSync(`${to}.new`, 0o444);
    fs.renameSync(`${to}.new`, to);
    this.#remember(file);
  }

  #remember(file: string) {
    if (!fs.statSync(path.join(this.#folder, file)).isFile()) return;
    for (const part of this.read(file).split(/[,"\s]+/)) {
      const password = /^\w+:\/\/[^:]+:([^@]+)@/.exec(part)?.[1];
      for (const each of [part.replace(/^\d+:/, ''), password]) if (each && each.length >= 20) this.values.add(each);
    }
  }
}

const LOGGED = /^\S*?(\d{4}-\S+Z) .*"reason":"([^"]*)".*secrets have changed/;

/**
 * Waits until each process has logged that it uses its changed settings.
 * @returns after how many seconds each has; those that have not are absent.
 */
export async function untilUsed({ sh }: Deployment, changed: SecretSetting[], changedAt: number, withinMs: number) {
  const processes = [...new Set(changed.map(({ process }) => process))];
  const since = new Date(changedAt).toISOString();
  const look = async () => {
    const seconds = new Map<SecretSetting, number>();
    for (const process of processes) {
      const lines = await sh(`docker compose logs --no-log-prefix --timestamps --since ${since} ${process}`);
      const logged = lines.split('\n').flatMap((line) => [LOGGED.exec(line) ?? []]);
      for (const each of changed.filter((of) => of.process === process)) {
        const at = logged.find(([, , names = '']) => names.split(', ').includes(each.setting))?.[1];
        if (at) seconds.set(each, Math.round((Date.parse(at) - changedAt) / 1_000));
      }
    }
    return seconds;
  };
  return lookUntil(look, (seconds) => seconds.size === changed.length, withinMs);
}
