// FerretDB knows roles of all databases only: roles of single ones become those. It answers with no list in the place of an empty one,
// and cannot change the roles of a user.
const any = (roles) =>
  roles.every(({ role }) => role === 'read')
    ? [{ role: 'readAnyDatabase', db: 'admin' }]
    : [
        { role: 'readWriteAnyDatabase', db: 'admin' },
        { role: 'clusterAdmin', db: 'admin' },
      ];
const Database = Object.getPrototypeOf(db);
Database.createUser = function ({ user, pwd, roles }) {
  return this.runCommand({ createUser: user, pwd, roles: any(roles) });
};
Database.updateUser = function (name, { pwd }) {
  return this.runCommand({ updateUser: name, pwd });
};
Database.getUser = function (name) {
  const { users } = this.runCommand({ usersInfo: { user: name, db: 'admin' } });
  return users?.[0] ?? null;
};
