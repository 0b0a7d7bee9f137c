-- Of a trailer or dolly: '' has a unit of its own, or nobody said; 'truck': none, the truck's unit reads it.
alter table vehicle add column scale_unit text not null default '' check (scale_unit in ('', 'truck'));
