import { Link } from 'wouter';
import { Empty, Page } from '../design/page.tsx';
import { useLanguage } from '../texts/language.tsx';

/** The page of an address that no other page has. */
export function NotFoundPage() {
  const { t } = useLanguage();
  return (
    <Page title={t('notFound.title')}>
      <Empty
        title={t('notFound.heading')}
        action={
          <Link href="/" className="button button-primary">
            {t('notFound.action')}
          </Link>
        }
      >
        {t('notFound.text')}
      </Empty>
    </Page>
  );
}
