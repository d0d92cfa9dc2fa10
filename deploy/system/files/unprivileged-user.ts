import fs from 'node:fs';
import path from 'node:path';

/** The processes of the database run as this user. */
export interface DatabaseUser {
  uid: number;
  gid: number;
}

/**
 * PostgreSQL does not run as root, so under root its processes run as the machine's `nobody`.
 * @returns null when we are not root and may start it as ourselves.
 * @throws when we are root and the machine has no such user.
 */
export function databaseUser(): DatabaseUser | null {
  if (process.getuid?.() !== 0) return null;
  const line = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith('nobody:'));
  if (!line) throw new Error('PostgreSQL cannot run as root and this machine has no user "nobody" to run it as');
  const [, , uid, gid] = line.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

/**
 * @param folder - absolute; parts of it that do not exist yet are passed over.
 * @param user - as `databaseUser` answers it.
 * @returns whether that user may walk down to the folder; /root, for one, is often closed to all others.
 */
export function canReach(folder: string, user: Pick<DatabaseUser, 'uid'> | null): boolean {
  if (!user) return true;
  for (let each = path.resolve(folder); ; each = path.dirname(each)) {
    const stat = fs.statSync(each, { throwIfNoEntry: false });
    if (stat && stat.uid !== user.uid && (stat.mode & 0o001) === 0) return false;
    if (each === path.dirname(each)) return true;
  }
}

/** Gives a file or folder, and all it holds, to the user. */
export function giveTo(entry: string, user: DatabaseUser | null) {
  if (!user) return;
  fs.lchownSync(entry, user.uid, user.gid);
  if (!fs.lstatSync(entry).isDirectory()) return;
  for (const name of fs.readdirSync(entry)) giveTo(path.join(entry, name), user);
}
