import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../system/paths.mjs';
import { readCompose } from './compose-file.ts';
import { makeSecrets } from './secrets.ts';

const SERVICES = fs.readdirSync(path.join(ROOT, 'services'));
const { mongo } = readCompose({}).services;
const secrets = makeSecrets();
afterAll(secrets.remove);

describe('the secrets that make-secrets.sh makes', () => {
  it('are in a folder of their owner, and one for each service', () => {
    expect(fs.statSync(secrets.folder).mode & 0o777).toBe(0o700);
    for (const kind of ['data_key', 'mongodb_uri'])
      expect(new Set(SERVICES.map((name) => secrets.read(`${kind}_${name}`))).size).toBe(SERVICES.length);
  });

  it('stay what they are when it is run again', () => {
    const names = fs.readdirSync(secrets.folder).filter((name) => name !== 'mounted');
    const before = names.map((name) => [name, secrets.read(name)]);
    execFileSync('sh', [path.join(ROOT, 'deploy/make-secrets.sh')], { cwd: path.dirname(secrets.folder) });
    expect(names.map((name) => [name, secrets.read(name)])).toEqual(before);
  });

  it('name every process to NATS when it is run again after a service was added', () => {
    const passwords = secrets.read('nats_passwords');
    fs.rmSync(path.join(secrets.folder, 'nats_password_people'));
    execFileSync('sh', [path.join(ROOT, 'deploy/make-secrets.sh')], { cwd: path.dirname(secrets.folder) });
    const password = secrets.read('nats_password_people');
    expect(passwords).not.toContain(password);
    expect(secrets.read('nats_passwords')).toContain(`NATS_PASSWORD_PEOPLE: "${password}"`);
    for (const [mounted, name] of [
      ['people/nats_password', 'nats_password_people'],
      ['nats/nats_passwords', 'nats_passwords'],
    ] as const)
      expect(secrets.read(`mounted/${mounted}`)).toBe(secrets.read(name));
  });
});

describe('the users of the database', () => {
  const script = fs.readFileSync(path.join(ROOT, 'deploy/mongo/create-users.js'), 'utf8');
  interface Account {
    pwd: string;
    roles: { role: string; db: string }[];
  }
  /** Runs the script like mongosh, on a list of users. */
  const run = (users: Map<string, Account>, environment: Record<string, string>) => {
    const admin = {
      getUser: (name: string) => users.get(name) ?? null,
      createUser: ({ user, ...account }: Account & { user: string }) => users.set(user, account),
      updateUser: (name: string, account: Account) => users.set(name, account),
    };
    const read = (file: string) => secrets.read(path.basename(file));
    vm.runInNewContext(script, {
      db: { getSiblingDB: (name: string) => (name === 'admin' ? admin : null) },
      fs: { readFileSync: read, readdirSync: () => fs.readdirSync(path.join(secrets.folder, 'mounted/mongo')) },
      process: { env: environment },
      decodeURIComponent,
    });
    return users;
  };

  it('are one for each service, who has the databases of that service and no other', () => {
    const users = run(new Map(), mongo.environment ?? {});
    expect([...users.keys()].sort()).toEqual([...SERVICES, 'audit'].sort());
    for (const name of SERVICES) {
      const { pwd, roles } = users.get(name)!;
      const address = new URL(secrets.read(`mongodb_uri_${name}`));
      expect([address.username, address.password]).toEqual([name, pwd]);
      expect(address.searchParams.get('authSource')).toBe('admin');
      const kinds = ['live', 'keys_live', 'test', 'keys_test', ...(name === 'people' ? ['users'] : [])];
      const databases = kinds.map((each) => `swim_${name}_${each}`);
      expect(roles.map(({ db }) => db)).toEqual(databases);
      for (const { role, db } of roles) expect([role, db.startsWith(`swim_${name}_`)]).toEqual(['readWrite', true]);
    }
  });

  it('are one for the audit, who may read what it compares, no keys, and write nothing', () => {
    const { roles } = run(new Map(), mongo.environment ?? {}).get('audit')!;
    const audited = ['booking', 'payment'].flatMap((name) => [`swim_${name}_live`, `swim_${name}_test`]);
    expect(roles).toEqual(audited.map((db) => ({ role: 'read', db })));
  });

  it('are changed and not made anew when the script is run again, with the prefix of that time', () => {
    const users = run(new Map(), {});
    run(users, { DATABASE_PREFIX: 'baths' });
    expect(users.size).toBe(SERVICES.length + 1);
    expect(users.get('people')!.roles.map(({ db }) => db)).toContain('baths_people_live');
  });

  it('are made by the image where it looks for such scripts', () => {
    expect(mongo.volumes).toContain('./deploy/mongo/create-users.js:/docker-entrypoint-initdb.d/create-users.js:ro');
  });
});
