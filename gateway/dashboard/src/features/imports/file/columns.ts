/** The fields that a column can become, in the order of the choice. */
export const FIELDS = [
  'name',
  'first',
  'last',
  'born',
  'level',
  'id',
  'notes',
  'contactName',
  'contactPhone',
  'contactRelationship',
  'familyName',
  'familyFirst',
  'familyLast',
  'familyEmail',
  'familyId',
  'familyLanguage',
] as const;
export type Field = (typeof FIELDS)[number];

/** The programs whose exports are recognised. */
export type Program = 'iClassPro' | 'Jackrabbit';

/** The position of the column of each field that has one. */
export type Columns = Readonly<Partial<Record<Field, number>>>;

/** A title without what programs write differently: case, spaces, signs and accents. */
const plain = (title: string): string =>
  title
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z0-9]/g, '');

/** The titles of columns, as `plain` has them, the surest first: those of iClassPro, of Jackrabbit, and of lists in the four languages. */
const TITLES: Readonly<Record<Field, readonly string[]>> = {
  id: ['studentid', 'stuid', 'studentnumber', 'memberid', 'pupilid', 'schulernummer', 'mitgliedsnummer'],
  familyId: ['familyid', 'famid', 'familynumber', 'accountnumber', 'customerid', 'kundennummer', 'familiennummer'],
  first: ['studentfirstname', 'stufirstname', 'childfirstname', 'firstname', 'vorname', 'nombre', 'prenom'],
  last: ['studentlastname', 'stulastname', 'childlastname', 'lastname', 'nachname', 'apellidos', 'apellido', 'nom'],
  name: [
    'studentname',
    'studentfullname',
    'student',
    'childname',
    'child',
    'swimmer',
    'name',
    'kind',
    'alumno',
    'eleve',
  ],
  born: [
    'studentbirthdate',
    'birthdate',
    'dateofbirth',
    'birthday',
    'dob',
    'geburtsdatum',
    'geboren',
    'fechadenacimiento',
    'datedenaissance',
  ],
  level: ['swimminglevel', 'skilllevel', 'currentlevel', 'level', 'stufe', 'niveau', 'nivel'],
  notes: [
    'medicalnotes',
    'medicalinfo',
    'medicalinformation',
    'healthconcerns',
    'healthinfo',
    'allergies',
    'medizinischehinweise',
    'notasmedicas',
    'notesmedicales',
  ],
  contactName: ['emergencycontactname', 'emergencycontact', 'emergencycontact1name', 'notfallkontakt'],
  contactPhone: ['emergencycontactphone', 'emergencyphone', 'emergencycontact1phone', 'notfallnummer'],
  contactRelationship: ['emergencycontactrelationship', 'emergencyrelationship', 'relationship', 'beziehung'],
  familyFirst: [
    'guardian1firstname',
    'guardianfirstname',
    'primaryguardianfirstname',
    'contact1firstname',
    'parentfirstname',
  ],
  familyLast: [
    'guardian1lastname',
    'guardianlastname',
    'primaryguardianlastname',
    'contact1lastname',
    'parentlastname',
  ],
  familyName: [
    'familyname',
    'family',
    'accountname',
    'familylastname',
    'primaryguardian',
    'guardianname',
    'guardian1name',
    'contact1name',
    'parentname',
    'familienname',
    'familia',
    'famille',
  ],
  familyEmail: [
    'familyemail',
    'primaryemail',
    'guardian1email',
    'guardianemail',
    'primaryguardianemail',
    'contact1email',
    'parentemail',
    'emailaddress',
    'email',
    'emailadresse',
    'correoelectronico',
    'correo',
    'courriel',
  ],
  familyLanguage: ['language', 'locale', 'sprache', 'idioma', 'langue'],
};

/** What only the exports of a program are titled. */
const OF_PROGRAMS: Readonly<Record<Program, readonly string[]>> = {
  Jackrabbit: ['famid', 'stuid', 'contact1firstname', 'contact1email'],
  iClassPro: ['guardian1firstname', 'guardian1email', 'primaryguardian', 'primaryguardianfirstname', 'healthconcerns'],
};

/** The program that has written a file with these titles; null for another one. */
export function programOf(titles: readonly string[]): Program | null {
  const all = titles.map(plain);
  const programs = Object.keys(OF_PROGRAMS) as Program[];
  return programs.find((program) => OF_PROGRAMS[program].some((title) => all.includes(title))) ?? null;
}

/** Which columns become which fields, by their titles. */
export function columnsOf(titles: readonly string[]): Columns {
  const all = titles.map(plain);
  const found = (Object.keys(TITLES) as Field[]).flatMap((field) => {
    const title = TITLES[field].find((each) => all.includes(each));
    return title === undefined ? [] : [[field, all.indexOf(title)] as const];
  });
  return Object.fromEntries(found) as Columns;
}

/** The columns with another choice for one of them; a field has one column. */
export function withChoice(columns: Columns, at: number, field: Field | ''): Columns {
  const others = Object.entries(columns).filter(([name, index]) => index !== at && name !== field);
  return Object.fromEntries(field ? [...others, [field, at]] : others) as Columns;
}

/** What no column has, and no row could be without. */
export function missingOf(columns: Columns): readonly Field[] {
  const has = (field: Field) => columns[field] !== undefined;
  return [
    ...(has('name') || has('first') || has('last') ? [] : (['name'] as const)),
    ...(has('born') ? [] : (['born'] as const)),
    ...(has('familyEmail') ? [] : (['familyEmail'] as const)),
  ];
}
