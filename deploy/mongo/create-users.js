// Run by mongosh: by the image of MongoDB when its volume is empty, and by hand after a password was changed or a service
// added (deploy/README.md). One user for each service, who may read and write the databases of that service and no other; and
// one for the audit, who may read those of booking and payment, but none with keys, and write none.
// Its name and password are those of the address that the service itself reads.

const SECRETS = '/run/secrets';
const PREFIX = 'mongodb_uri_';
const SERVICES = fs
  .readdirSync(SECRETS)
  .filter((name) => name.startsWith(PREFIX))
  .map((name) => name.slice(PREFIX.length));
if (SERVICES.length === 0) throw new Error(`no file ${SECRETS}/${PREFIX}<service> is mounted`);
const AUDITED = ['booking', 'payment'];
const ADDRESS = /^mongodb(?:\+srv)?:\/\/([^:@/]+):([^:@/]+)@/;

const admin = db.getSiblingDB('admin');
const prefix = process.env.DATABASE_PREFIX || 'swim';

for (const service of SERVICES) {
  const file = `${SECRETS}/${PREFIX}${service}`;
  const address = ADDRESS.exec(fs.readFileSync(file, 'utf8').trim());
  if (!address) throw new Error(`${file} must hold mongodb://<user>:<password>@<host>/… or mongodb+srv://…`);
  const [user, pwd] = address.slice(1).map(decodeURIComponent);
  if (user !== service) throw new Error(`${file} names the user ${user}; it must be ${service}`);
  const account = { pwd, roles: service === 'audit' ? AUDITED.flatMap(readingOf) : rolesOf(service) };
  if (admin.getUser(user)) admin.updateUser(user, account);
  else admin.createUser({ user, ...account });
}

// The keys of texts about members lie in databases of their own, whose backups are kept for days only.
function rolesOf(service) {
  const databases = ['live', 'test'].flatMap((env) => [
    `${prefix}_${service}_${env}`,
    `${prefix}_${service}_keys_${env}`,
  ]);
  // Users of the dashboard, who belong to neither environment.
  if (service === 'people') databases.push(`${prefix}_people_users`);
  return databases.map((name) => ({ role: 'readWrite', db: name }));
}

function readingOf(service) {
  return ['live', 'test'].map((env) => ({ role: 'read', db: `${prefix}_${service}_${env}` }));
}
