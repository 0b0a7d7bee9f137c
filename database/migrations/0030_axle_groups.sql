-- Which axle groups of the truck carry a sensor: 'STEER DRIVE'; '' is not known.
alter table vehicle add column axle_groups text not null default '';
