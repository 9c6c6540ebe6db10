;; manifest: {"name":"hostile","version":"1","contract":"rank","summary":"s","columns":[{"name":"expired","kind":"f32","read":true,"write":true}]}
