import { useMe } from '../../api/me.ts';
import { FamilyClasses } from './family/family-classes.tsx';
import { SchoolClasses } from './school/school-classes.tsx';
import './classes.css';

/** The classes of a school, or those in which a family enrolls its children. */
export default function ClassesPage() {
  const { account } = useMe();
  return account.kind === 'school' ? <SchoolClasses /> : <FamilyClasses />;
}
