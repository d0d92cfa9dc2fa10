import { describe, expect, it } from '@jest/globals';
import { bodyOf, valuesOf } from './member-body.ts';

const VALUES = { ...valuesOf(null), name: ' Mia Okafor ', born: '2017-05-04', medicalNotes: 'Asthma' };

describe('the body of a request for the form of a member', () => {
  it('has no medical notes of a user who may not read them', () => {
    expect(bodyOf(VALUES, false)).toEqual({
      name: 'Mia Okafor',
      date_of_birth: '2017-05-04',
      swimming_level: 'beginner',
      emergency_contact: null,
    });
  });

  it('has the medical notes of a user who may, and null where they were emptied', () => {
    expect(bodyOf(VALUES, true)).toMatchObject({ medical_notes: 'Asthma' });
    expect(bodyOf({ ...VALUES, medicalNotes: ' ' }, true)).toMatchObject({ medical_notes: null });
  });

  it('has all parts of a contact as soon as one is typed, so that the API names those that are missing', () => {
    expect(bodyOf({ ...VALUES, contactPhone: '+4930123456' }, false).emergency_contact).toEqual({
      name: '',
      phone: '+4930123456',
      relationship: '',
    });
  });
});
