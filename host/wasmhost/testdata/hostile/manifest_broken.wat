;; manifest: {"name": "hostile", 
