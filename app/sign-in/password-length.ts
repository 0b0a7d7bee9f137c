// Apart from the schemas, so that a page that names the limits loads no validator.
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;
