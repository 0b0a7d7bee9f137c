import type { LucideIcon } from 'lucide-react';
import { Link } from 'react-router';

/** An icon at the end of a list's row; `label` names the record too ('Edit ABC123'). */
export function RowAction({ to, icon: Icon, label }: { to: string; icon: LucideIcon; label: string }) {
  return (
    <Link to={to} className="row-action" aria-label={label} title={label}>
      <Icon size={18} aria-hidden="true" />
    </Link>
  );
}
