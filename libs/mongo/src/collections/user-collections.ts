/**
 * The collections of the third database of people, that of the dashboard's users. It belongs to neither environment, so that the
 * service itself empties it, when the live account is erased.
 */
export const USER_COLLECTIONS = {
  users: {
    erase: { how: 'by_service' },
    reset: { how: 'keep' },
    exportedAs: 'users',
    why: 'Users of the dashboard, in the third database: removed, with the keys of their texts, when the live account is erased.',
  },
  user_owners: {
    erase: { how: 'by_service' },
    reset: { how: 'keep' },
    exportedAs: null,
    why: 'Ids of the users who are owners, so that one stays; they go with the users.',
  },
  second_factors: {
    erase: { how: 'by_service' },
    reset: { how: 'keep' },
    exportedAs: null,
    why: 'Encrypted secrets of authenticator apps, public keys of passkeys and keyed hashes of recovery codes; they go with the users.',
  },
  pending_sign_ins: {
    erase: { how: 'keep' },
    reset: { how: 'keep' },
    exportedAs: null,
    why: 'Sign-ins that wait for a second factor, for ten minutes: ids, keyed hashes and challenges.',
  },
  user_sessions: {
    erase: { how: 'by_service' },
    reset: { how: 'keep' },
    exportedAs: null,
    why: 'Keyed hashes of cookies and networks: ended first, and removed with the users.',
  },
  user_links: {
    erase: { how: 'by_service' },
    reset: { how: 'keep' },
    exportedAs: 'invitations',
    why: 'Links in e-mails, each for days at most; texts are encrypted. Those of the account go with its users; open invitations are exported.',
  },
  sign_in_counts: {
    erase: { how: 'keep' },
    reset: { how: 'keep' },
    exportedAs: null,
    why: 'How often an address, a user or a network has tried to sign in, by keyed hashes, for a day at most.',
  },
  user_activity: {
    erase: { how: 'by_service' },
    reset: { how: 'keep' },
    exportedAs: 'activity',
    why: 'What users did within the last 365 days: ids and networks; removed with the users.',
  },
} as const;
