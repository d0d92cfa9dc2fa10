import type { Instructor, UpdateInstructorBody } from '@swim/sdk';

/** The fields of the form of a profile, as typed. */
export interface ProfileValues {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly bio: string;
  readonly languages: string;
  readonly levels: readonly Instructor['levels_taught'][number][];
}

/** The form of an instructor as it is stored. */
export const valuesOf = (instructor: Instructor): ProfileValues => ({
  name: instructor.name,
  email: instructor.email,
  phone: instructor.phone ?? '',
  bio: instructor.bio ?? '',
  languages: instructor.languages.join(', '),
  levels: instructor.levels_taught,
});

/** The body of a request for the form. Languages are separated by commas; each counts once. */
export const bodyOf = ({ name, email, phone, bio, languages, levels }: ProfileValues): UpdateInstructorBody => ({
  name: name.trim(),
  email: email.trim(),
  phone: phone.trim() || null,
  bio: bio.trim() || null,
  languages: [...new Set(languages.split(',').map((each) => each.trim()))].filter((each) => each !== ''),
  levels_taught: [...levels],
});
