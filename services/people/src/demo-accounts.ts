import type { AccountKind } from '@swim/contracts';

/** One account of the demo, its key and its user; ids are fixed, so that commands are idempotent. */
export interface DemoAccount {
  kind: AccountKind;
  accountId: string;
  keyId: string;
  userId: string;
  name: string;
  email: string;
}

type DemoName = 'school' | 'family' | 'second_family' | 'third_family';

/** The accounts of the demo: children of all its families share lessons of the school. */
export const DEMO_ACCOUNTS: Readonly<Record<DemoName, DemoAccount>> = {
  school: {
    kind: 'school',
    accountId: 'acct_01kdvdna00e48s248h248h248h',
    keyId: 'key_01kdvdna00e48s248h248h248h',
    userId: 'usr_01kdvdna00e48s248h248h248h',
    name: 'Demo Swim School',
    email: 'school@demo.example',
  },
  family: {
    kind: 'family',
    accountId: 'acct_01kdvdna01e8ha48h248h248h2',
    keyId: 'key_01kdvdna01e8ha48h248h248h2',
    userId: 'usr_01kdvdna01e8ha48h248h248h2',
    name: 'Demo Family',
    email: 'family@demo.example',
  },
  second_family: {
    kind: 'family',
    accountId: 'acct_01kdvdna02e8ha48h248h248h3',
    keyId: 'key_01kdvdna02e8ha48h248h248h3',
    userId: 'usr_01kdvdna02e8ha48h248h248h3',
    name: 'Second Demo Family',
    email: 'second-family@demo.example',
  },
  third_family: {
    kind: 'family',
    accountId: 'acct_01kdvdna03e8ha48h248h248h4',
    keyId: 'key_01kdvdna03e8ha48h248h248h4',
    userId: 'usr_01kdvdna03e8ha48h248h248h4',
    name: 'Third Demo Family',
    email: 'third-family@demo.example',
  },
};
