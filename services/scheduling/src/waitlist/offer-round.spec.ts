import { expect, it } from '@jest/globals';
import { REASONS, type Reason } from '@swim/contracts';
import { AppError } from '@swim/platform';
import mongoose from 'mongoose';
import { isTemporary } from './offer-round.js';

it('a failure of an offer is temporary when it is a server error other than an internal one', () => {
  const reasons = Object.keys(REASONS) as Reason[];
  const expected = reasons.filter((reason) => REASONS[reason].code === 'SERVER_ERROR' && reason !== 'internal');
  expect(reasons.filter((reason) => isTemporary(new AppError(reason)))).toEqual(expected);
});

it('a failure of an offer is temporary when the database cannot be reached', () => {
  expect(isTemporary(new mongoose.mongo.MongoNetworkError('connection closed'))).toBe(true);
});

it('no failure, or one of the code, is not temporary', () => {
  expect([undefined, new TypeError('x is undefined')].map(isTemporary)).toEqual([false, false]);
});
